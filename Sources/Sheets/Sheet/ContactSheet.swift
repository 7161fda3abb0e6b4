import Synchronization
package import SystemPackage
package import TexelBatch
package import TexelCodecs
package import TexelCore
package import TexelPipeline
package import TexelPixels
import TexelText

/// Draws images in rows on one or several pages.
package struct ContactSheet: Sendable {
    /// A page that was written.
    package struct Page: Sendable, Hashable {
        /// Its file.
        package var path: FilePath
        /// Its size in pixels.
        package var size: PixelSize
        /// The size of its file.
        package var byteCount: Int
        /// The number of images on it, including placeholders.
        package var imageCount: Int
        /// Tolerated faults of its images, and faults of its captions, such as characters that no font has.
        package var warnings: [String]
    }

    private let style: SheetStyle
    private let encoding: ImageEncoding
    private let thumbnails: Thumbnails
    private let limits: Limits
    private let pool: WorkerPool
    private let overwrites: Bool

    /// Creates a sheet maker.
    ///
    /// - Parameters:
    ///   - style: The appearance.
    ///   - encoding: The format of the pages.
    ///   - usesLinearLight: Whether images are scaled in linear light.
    ///   - options: Settings for reading the images; the limits also apply to the pages.
    ///   - pool: The workers that decode and encode; its width and memory budget limit the concurrency.
    package init(
        _ style: SheetStyle, _ encoding: ImageEncoding, usesLinearLight: Bool, options: ProcessingOptions,
        pool: WorkerPool
    ) {
        self.style = style
        self.encoding = encoding
        thumbnails = Thumbnails(
            box: style.cell, covers: style.coversCell, usesLinearLight: usesLinearLight, options: options, pool: pool)
        limits = options.policy.limits
        overwrites = options.overwrites
        self.pool = pool
    }

    /// The maximum pixel count of a page if the number of rows is not set: 256 MB of pixels.
    private static let comfortablePixelCount = 64_000_000

    /// Draws and writes all pages: `sheet.png`, `sheet-2.png`, …
    ///
    /// - Parameters:
    ///   - items: The images, in order.
    ///   - path: The file of the first page.
    ///   - onFailure: Called for each image that could not be read; a placeholder is drawn instead.
    /// - Throws: `TexelError`; pages that were already written stay.
    package func write(
        _ items: [InputItem], to path: FilePath, onFailure: (InputItem, TexelError) -> Void
    ) async throws(TexelError) -> [Page] {
        let desk = try await pool.run(bytes: 0) { [style] () throws(TexelError) in try PageComposer(style) }
        let layouts = try SheetLayout.pages(
            style, count: items.count, lineHeight: desk.lineHeight,
            longestSide: min(limits.side, encoding.format.capabilities.maximumSide),
            pixelLimit: style.rows == nil ? min(limits.pixels, Self.comfortablePixelCount) : limits.pixels)
        let paths = layouts.indices.map { Self.path(path, page: $0) }
        let replacement = try await pool.run(bytes: 0) { [overwrites] () throws(TexelError) in
            let replacement = Replacement(overwrites: overwrites, except: items)
            for path in paths { try SheetFile.check(path, replacing: replacement) }
            return replacement
        }
        var pages: [Page] = []
        var rest = items[...]
        for (layout, path) in zip(layouts, paths) {
            let own = Array(rest.prefix(layout.slotCount))
            rest = rest.dropFirst(layout.slotCount)
            pages.append(try await page(own, layout, path, replacement, desk, onFailure))
        }
        return pages
    }

    /// The pages that an earlier call has written.
    ///
    /// - Parameter path: The file of the first page.
    package static func existingPages(_ path: FilePath) -> [FilePath] {
        Array((0...).lazy.map { Self.path(path, page: $0) }.prefix { $0.exists })
    }

    static func path(_ path: FilePath, page index: Int) -> FilePath {
        guard index > 0 else { return path }
        let stem = "\(path.stem ?? "sheet")-\(index + 1)"
        return path.removingLastComponent().appending(path.extension.map { "\(stem).\($0)" } ?? stem)
    }

    private func page(
        _ items: [InputItem], _ layout: SheetLayout, _ path: FilePath, _ replacement: Replacement,
        _ desk: PageComposer, _ onFailure: (InputItem, TexelError) -> Void
    ) async throws(TexelError) -> Page {
        try await pool.run(bytes: 0) { () throws(TexelError) in try desk.begin(layout) }
        var warnings = [[String]](repeating: [], count: items.count)
        await thumbnails.forEach(items) { index, result in
            var outcome = result
            if case .success(let thumbnail) = result {
                warnings[index] = thumbnail.warnings
                outcome = await pool.run(bytes: 0) {
                    desk.draw(thumbnail, items[index], slot: index).map { thumbnail }
                }
            }
            guard case .failure(let error) = outcome else { return }
            await pool.run(bytes: 0) { desk.drawPlaceholder(items[index], slot: index) }
            onFailure(items[index], error)
        }
        if Task.isCancelled { throw .stopped(.cancelled) }
        let (encoding, threads) = (encoding, pool.width)
        let byteCount = try await pool.run(bytes: 0) { () throws(TexelError) in
            let bytes = try desk.finish()?.encoded(as: encoding, parallelism: threads) ?? []
            try SheetFile.write(bytes, to: path, replacing: replacement)
            return bytes.count
        }
        let captionWarnings = await pool.run(bytes: 0) { desk.warnings }
        return Page(
            path: path, size: layout.size, byteCount: byteCount, imageCount: items.count,
            warnings: warnings.flatMap { $0 } + captionWarnings)
    }
}

/// The current page and the caption font. A lock admits one thread at a time, which FreeType requires.
private final class PageComposer: Sendable {
    private struct State: ~Copyable {
        var canvas: SheetCanvas?
        var layout: SheetLayout?
        let font: TextFont?
    }

    private let style: SheetStyle
    private let state: Mutex<State>
    let lineHeight: Int

    /// Opens the font if there are captions.
    ///
    /// - Throws: errors of the font.
    init(_ style: SheetStyle) throws(TexelError) {
        self.style = style
        let font = style.caption == nil ? nil : try TextFont(style.font, size: style.fontSize)
        lineHeight = font?.lineHeight ?? 0
        state = Mutex(State(canvas: nil, layout: nil, font: font))
    }

    func begin(_ layout: SheetLayout) throws(TexelError) {
        let canvas = try SheetCanvas(layout.size, background: style.background)
        state.withLock { state in
            state.canvas = canvas
            state.layout = layout
            state.font?.forgetWarnings()
        }
    }

    /// The faults of the captions that were drawn since `begin`.
    var warnings: [String] { state.withLock { $0.font?.warnings.map(\.description) ?? [] } }

    /// Returns the current page, as drawn since `begin`; `nil` if there is none.
    func finish() -> PixelBuffer? {
        state.withLock { state in
            let canvas = state.canvas.take()
            return canvas?.image()
        }
    }

    func draw(_ thumbnail: Thumbnails.Thumbnail, _ item: InputItem, slot: Int) -> Result<Void, TexelError> {
        state.withLock { state in
            guard let box = state.layout?.box(slot) else { return .success(()) }
            do throws(TexelError) {
                let place = try state.canvas?.draw(thumbnail.image, in: box)
                if let frame = style.frame { state.canvas?.stroke(place ?? box, frame) }
            } catch {
                return .failure(error)
            }
            Self.drawCaption(item, thumbnail.facts, box, style, &state)
            return .success(())
        }
    }

    /// Draws a placeholder for an unreadable image: an empty box with a cross.
    func drawPlaceholder(_ item: InputItem, slot: Int) {
        state.withLock { state in
            guard let box = state.layout?.box(slot) else { return }
            var color = style.ink
            color.alpha = 24
            state.canvas?.fill(box, color)
            color.alpha = 160
            // A quarter of the box, centred.
            let side = max(4, min(box.width, box.height) / 4)
            let (x, y) = (box.x + (box.width - side) / 2, box.y + (box.height - side) / 2)
            for step in 0..<side {
                let thickness = max(1, side / 16)
                state.canvas?.fill(PixelRectangle(x: x + step, y: y + step, width: thickness, height: 1), color)
                state.canvas?.fill(
                    PixelRectangle(x: x + side - 1 - step, y: y + step, width: thickness, height: 1), color)
            }
            Self.drawCaption(item, nil, box, style, &state)
        }
    }

    private static func drawCaption(
        _ item: InputItem, _ facts: ImageFacts?, _ box: PixelRectangle, _ style: SheetStyle, _ state: inout State
    ) {
        guard let font = state.font, let caption = style.caption else { return }
        let name = item.path.lastComponent?.string ?? item.name
        var y = box.y + box.height + SheetLayout.captionGap
        for line in caption.lines(name: name, path: item.name, facts: facts) {
            state.canvas?.draw(line, x: box.x, y: y, width: box.width, font, style.ink)
            y += font.lineHeight
        }
    }
}
