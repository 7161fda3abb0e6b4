package import SystemPackage
import TexelCodecs
package import TexelPipeline
package import TexelPixels

/// Pictures on a page for a browser, which works from a disk and asks for nothing from outside.
package struct Gallery: Sendable {
    package enum ThumbnailPlace: String, Sendable, Hashable, CaseIterable {
        /// In the page.
        case embedded
        /// In a folder beside the page.
        case beside
    }

    package struct Outcome: Sendable, Hashable {
        package var path: FilePath
        /// Of the page.
        package var byteCount: Int
        package var pictureCount: Int
    }

    private let place: ThumbnailPlace
    private let box: PixelSize
    private let quality: Int
    private let thumbnails: Thumbnails
    private let pool: WorkerPool
    private let overwrites: Bool

    /// - Parameters:
    ///   - box: what thumbnails become no larger than, or exactly.
    ///   - quality: of thumbnails, 1…100.
    ///   - pool: whose width and budget decide how much is done at the same time.
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
    /// - Parameter onFailure: told of each picture that has no thumbnail.
    /// - Throws: `SheetError`.
    package func write(
        _ items: [InputItem], to path: FilePath, onFailure: (InputItem, PipelineError) -> Void
    ) async throws(SheetError) -> Outcome {
        try await pool.run(bytes: 0) { [overwrites] () throws(SheetError) in
            try SheetFile.check(path, replacing: overwrites, inputs: items)
        }
        let links = RelativeLink(from: path)
        var entries = items.map { item in
            GalleryPage.Item(
                name: item.path.lastComponent?.string ?? item.name, link: links.address(of: item.path))
        }
        await thumbnails.forEach(items) { index, result in
            do throws(PipelineError) {
                let thumbnail = try result.get()
                let source = try await pool.run(bytes: 0) { () throws(PipelineError) in
                    try self.source(of: thumbnail.picture, index, beside: path, links)
                }
                entries[index].facts = thumbnail.facts
                entries[index].thumbnail = GalleryPage.Thumbnail(source: source, size: thumbnail.picture.size)
            } catch {
                onFailure(items[index], error)
            }
        }
        if Task.isCancelled { throw .picture(.codec(.stopped(.cancelled))) }
        let page = GalleryPage(title: path.stem ?? "Pictures", side: max(box.width, box.height), items: entries)
        return try await pool.run(bytes: 0) { [overwrites] () throws(SheetError) in
            let bytes = page.bytes()
            try SheetFile.write(bytes, to: path, replacing: overwrites)
            return Outcome(path: path, byteCount: bytes.count, pictureCount: items.count)
        }
    }

    /// The address of a thumbnail; one that lies beside the page is written.
    private func source(
        of picture: PixelBuffer, _ index: Int, beside page: FilePath, _ links: RelativeLink
    ) throws(PipelineError) -> String {
        let encoded = try EmbeddedPicture(picture, quality: quality)
        guard place == .beside else { return encoded.address }
        let folder = page.removingLastComponent().appending("\(page.stem ?? "gallery")-thumbnails")
        let number = String(index + 1)
        let name = String(repeating: "0", count: max(0, 5 - number.count)) + number
        let file = folder.appending("\(name).\(encoded.format.fileExtension)")
        do throws(FileError) {
            try AtomicFile.write(
                encoded.file, to: file, below: page.removingLastComponent(), makesDirectories: true,
                replacing: overwrites)
        } catch {
            throw .file(error)
        }
        return links.address(of: file)
    }
}
