package import SystemPackage
package import TexelBatch
import TexelCodecs
package import TexelCore
import TexelFormats
package import TexelPipeline
package import TexelPixels

/// Writes an HTML page with thumbnails of images. The page works from disk and loads nothing from the network.
package struct Gallery: Sendable {
    /// Where the thumbnails are stored.
    package enum ThumbnailPlace: String, Sendable, Hashable, CaseIterable {
        /// In the page, as data URLs.
        case embedded
        /// In a folder beside the page.
        case beside
    }

    /// A page that was written.
    package struct Outcome: Sendable, Hashable {
        /// Its file.
        package var path: FilePath
        /// The size of the page's file.
        package var byteCount: Int
        /// The number of images on it.
        package var imageCount: Int
        /// The tolerated faults of its images, with their names.
        package var warnings: [String]
    }

    private let place: ThumbnailPlace
    private let box: PixelSize
    private let quality: Int
    private let thumbnails: Thumbnails
    private let pool: WorkerPool
    private let overwrites: Bool

    /// Creates a gallery maker.
    ///
    /// - Parameters:
    ///   - place: Where the thumbnails are stored.
    ///   - box: The size of thumbnails in pixels: the maximum, or exact if `covers` is set.
    ///   - covers: Whether thumbnails fill the box and are cropped.
    ///   - usesLinearLight: Whether images are scaled in linear light.
    ///   - quality: The JPEG quality of thumbnails, 1…100.
    ///   - options: Settings for reading the images.
    ///   - pool: The workers that decode and encode; its width and memory budget limit the concurrency.
    package init(
        thumbnails place: ThumbnailPlace, box: PixelSize, covers: Bool, usesLinearLight: Bool, quality: Int,
        options: ProcessingOptions, pool: WorkerPool
    ) {
        self.place = place
        self.box = box
        self.quality = quality
        thumbnails = Thumbnails(
            box: box, covers: covers, usesLinearLight: usesLinearLight, options: options, pool: pool)
        self.pool = pool
        overwrites = options.overwrites
    }

    /// Makes the thumbnails and writes the page.
    ///
    /// - Parameters:
    ///   - items: The images, in order.
    ///   - path: The file of the page.
    ///   - onFailure: Called for each image that could not be read; it has no thumbnail.
    /// - Throws: `TexelError`.
    package func write(
        _ items: [InputItem], to path: FilePath, onFailure: (InputItem, TexelError) -> Void
    ) async throws(TexelError) -> Outcome {
        let replacement = try await pool.run(bytes: 0) { [overwrites] () throws(TexelError) in
            let replacement = Replacement(overwrites: overwrites, except: items)
            try SheetFile.check(path, replacing: replacement)
            return replacement
        }
        let links = RelativeLink(from: path)
        var entries = items.map { item in
            GalleryPage.Item(
                name: item.path.lastComponent?.string ?? item.name, link: links.address(of: item.path))
        }
        var warnings = [[String]](repeating: [], count: items.count)
        await thumbnails.forEach(items) { index, result in
            do throws(TexelError) {
                let thumbnail = try result.get()
                warnings[index] = thumbnail.warnings
                let source = try await pool.run(bytes: 0) { () throws(TexelError) in
                    try self.source(of: thumbnail.image, index, beside: path, links, replacement)
                }
                entries[index].facts = thumbnail.facts
                entries[index].thumbnail = GalleryPage.Thumbnail(source: source, size: thumbnail.image.size)
            } catch {
                onFailure(items[index], error)
            }
        }
        if Task.isCancelled { throw .stopped(.cancelled) }
        let page = GalleryPage(title: path.stem ?? "Images", side: max(box.width, box.height), items: entries)
        let byteCount = try await pool.run(bytes: 0) { () throws(TexelError) in
            let bytes = page.bytes()
            try SheetFile.write(bytes, to: path, replacing: replacement)
            return bytes.count
        }
        return Outcome(
            path: path, byteCount: byteCount, imageCount: items.count, warnings: warnings.flatMap { $0 })
    }

    /// The folder of a page's thumbnails, if they are stored beside it.
    package static func thumbnailFolder(of page: FilePath) -> FilePath {
        page.removingLastComponent().appending("\(page.stem ?? "gallery")-thumbnails")
    }

    /// Encodes a thumbnail and returns its URL; writes its file if thumbnails are stored beside the page.
    private func source(
        of image: PixelBuffer, _ index: Int, beside page: FilePath, _ links: RelativeLink, _ replacement: Replacement
    ) throws(TexelError) -> String {
        let encoded = try EmbeddedImage(image, quality: quality)
        guard place == .beside else { return encoded.address }
        let folder = Self.thumbnailFolder(of: page)
        let number = String(index + 1)
        let name = String(repeating: "0", count: max(0, 5 - number.count)) + number
        let file = folder.appending("\(name).\(encoded.format.fileExtension)")
        try AtomicFile.write(
            encoded.file, to: file, below: page.removingLastComponent(), makesDirectories: true,
            replacing: replacement)
        return links.address(of: file)
    }
}
