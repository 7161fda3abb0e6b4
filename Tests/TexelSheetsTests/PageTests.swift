import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelSheets

/// The parts of pages.
@Suite struct PageTests {
    // MARK: Text

    @Test func nothingInATextIsMarkup() {
        let hostile = "\"><script>alert('1')</script>&amp;"
        #expect(
            HTMLText.escaped(hostile) == "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;")
        for scalar in (0...0x17F).compactMap(Unicode.Scalar.init(_:) as (Int) -> Unicode.Scalar?) {
            let text = HTMLText.escaped(String(Character(scalar)))
            #expect(!text.contains { "<>\"'\r\0".contains($0) })
            #expect(text != "&" && !text.isEmpty)
        }
        #expect(HTMLText.visible("a\nb\u{202E}c\u{7}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
        #expect(HTMLText.visible("Zürich 日本語 🎉 é") == "Zürich 日本語 🎉 é")
    }

    // MARK: Links

    private func link(_ file: FilePath, from page: FilePath) -> String {
        RelativeLink(from: page, workingDirectory: "/home/me").address(of: file)
    }

    @Test func linksLeadFromThePageToTheFile() {
        #expect(link("a.jpg", from: "page.html") == "a.jpg")
        #expect(link("in/a.jpg", from: "page.html") == "in/a.jpg")
        #expect(link("in/a.jpg", from: "out/deep/page.html") == "../../in/a.jpg")
        #expect(link("/data/a.jpg", from: "page.html") == "../../data/a.jpg")
        #expect(link("../you/./x/../a.jpg", from: "out/../page.html") == "../you/a.jpg")
        #expect(link("/home/me/a.jpg", from: "/home/me/page.html") == "a.jpg")
    }

    @Test func namesInLinksAreNames() {
        #expect(link("javascript:alert(1).jpg", from: "p.html") == "javascript%3Aalert%281%29.jpg")
        #expect(link("100% #1?x=y&z.jpg", from: "p.html") == "100%25%20%231%3Fx%3Dy%26z.jpg")
        #expect(link("\"'<>\\\n.jpg", from: "p.html") == "%22%27%3C%3E%5C%0A.jpg")
        #expect(link("é🎉.jpg", from: "p.html") == "%C3%A9%F0%9F%8E%89.jpg")
    }

    /// Decoding a URL returns the file name's bytes.
    @Test func addressesCanBeDecoded() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<200 {
            let scalars = (0..<8).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x2FFF, using: &generator)) }
            var name = String.UnicodeScalarView()
            name.append(contentsOf: scalars.filter { $0 != "/" } + ["x"])
            #expect(link(FilePath(String(name)), from: "p.html").removingPercentEncoding == String(name))
        }
    }

    // MARK: The gallery

    private func gallery(_ items: [GalleryPage.Item]) -> String {
        String(decoding: GalleryPage(title: "<b>", side: 100, items: items).bytes(), as: UTF8.self)
    }

    @Test func pagesAreOneFileWithOneScript() {
        let name = "\"><script>alert(1)</script>.png"
        let item = GalleryPage.Item(name: name, link: link(FilePath(name), from: "p.html"))
        let page = gallery([item, item])
        #expect(page.components(separatedBy: "<script").count == 2 && !page.contains("alert(1)<"))
        #expect(page.components(separatedBy: "<style").count == 2)
        #expect(page.contains("<title>&lt;b&gt;</title>"))
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("style=\""))
        #expect(page.components(separatedBy: "<li ").count == 3 && page.contains("cannot be read"))
        #expect(page.contains(#"content="default-src 'none';"#))
    }

    /// Each variable that the style sheet uses is defined in it.
    @Test func allVariablesOfTheGalleryHaveValues() {
        let page = gallery([])
        #expect(page.contains("minmax(min(116px, 100%), 1fr)"))
        #expect(page.contains("contain-intrinsic-size: auto 160px;") && page.contains("min-height: 75px;"))
        let used = page.components(separatedBy: "var(").dropFirst().compactMap { $0.split(separator: ")").first }
        #expect(!used.isEmpty)
        for name in Set(used) { #expect(page.contains("\(name):"), "\(name)") }
    }

    @Test func transparentThumbnailsStayTransparent() throws {
        let opaque = try EmbeddedImage(try .random(width: 5, height: 4), quality: 80)
        #expect(opaque.format == .jpeg && opaque.address.hasPrefix("data:image/jpeg;base64,/9j/"))
        let exact = try EmbeddedImage(try .random(width: 5, height: 4), quality: nil)
        #expect(exact.format == .png && exact.address.hasPrefix("data:image/png;base64,iVBOR"))
        let translucent = try PixelBuffer.random(width: 5, height: 4, alphaMode: .premultiplied)
        #expect(try EmbeddedImage(translucent, quality: 80).format == .png)
    }
}
