import TexelCodecs
import TexelPixels

/// A page of thumbnails that link to their images.
struct GalleryPage {
    struct Item {
        var name: String
        /// The URL of the image.
        var link: String
        /// The thumbnail; `nil` if the image could not be read.
        var thumbnail: Thumbnail?
        var facts: ImageFacts?
    }

    struct Thumbnail {
        /// The URL of a file, or a data URL.
        var source: String
        var size: PixelSize
    }

    let title: String
    /// The longest side of all thumbnails in pixels.
    let side: Int
    let items: [Item]

    func bytes() -> [UInt8] {
        let counted = items.count == 1 ? "1 image" : "\(items.count) images"
        var content = [
            """
            <header>
            <h1>\(HTMLText.visible(title))</h1>
            <span class="faint">\(counted)</span>
            \(PageTemplate.filterBox)
            </header>
            <main>
            <ul id="grid" aria-label="Images">

            """
        ]
        content += items.map(text)
        content.append(
            """
            </ul>
            <p id="nothing" hidden>No image name matches.</p>
            </main>

            """)
        content.append(PageResource.galleryDialog)
        return PageTemplate.page(title: title, style: style, script: PageResource.galleryScript, content: content)
    }

    /// The CSS for thumbnails of this size. The file has variables for the lengths, so that it is valid CSS.
    private var style: String {
        PageResource.galleryStyle
            .replacing("var(--column-width)", with: "\(side + 16)px")
            .replacing("var(--item-height)", with: "\(side + 60)px")
            .replacing("var(--box-height)", with: "\(side * 3 / 4)px")
    }

    private func text(of item: Item) -> String {
        let facts = item.facts.map {
            "\($0.size) · \(ByteCountText.text($0.byteCount)) · \($0.format.displayName)"
        }
        let name = HTMLText.visible(item.name)
        let image =
            item.thumbnail.map {
                """
                <img src="\(HTMLText.escaped($0.source))" alt="\(name)" width="\($0.size.width)" \
                height="\($0.size.height)" decoding="async" loading="lazy">
                """
            } ?? #"<span class="none bad" aria-hidden="true">✕</span>"#
        return """
            <li data-name="\(name)" data-facts="\(facts ?? "")"><a href="\(HTMLText.escaped(item.link))">\
            <div class="box">\(image)</div><div class="name" title="\(name)">\(name)</div>\
            <div class="facts \(facts == nil ? "bad" : "faint")">\(facts ?? "cannot be read")</div></a></li>

            """
    }
}
