package import TexelCore
import TexelFilters
package import TexelPixels

/// Lays an image, or many copies of it, over the rows of another one in place.
package struct OverlayStep: RowStep {
    /// The overlay, and how it is blended.
    let options: OverlayOptions
    /// The position and size of the overlay, or of one of its copies.
    let place: PixelRectangle
    /// The overlay in the colours of the image.
    private var pixels: PixelBuffer

    init(_ options: OverlayOptions, at place: PixelRectangle) {
        self.options = options
        self.place = place
        pixels = options.image.pixels
    }

    package var summary: String {
        let mode = options.blendMode.rawValue
        let light = options.usesLinearLight ? ", linear light" : ""
        return (options.tileSpacing == nil ? "overlay \(place), " : "overlay of \(place.size) tiles, ") + mode + light
    }

    package var runsInPlace: Bool { true }

    package func matching(_ colorSpace: ColorSpace) throws(TexelError) -> any RowStep {
        var step = self
        step.pixels = try options.image.pixels(in: colorSpace)
        return step
    }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        let overlay = try pixels.resized(to: place.size, linearLight: options.usesLinearLight)
        let blend = RowBlend(
            options.blendMode, backdrop: source.alphaMode,
            source: options.tileSpacing == nil ? overlay.alphaMode : .straight, opacity: options.opacity,
            usesLinearLight: options.usesLinearLight)
        guard let spacing = options.tileSpacing else { return Single(overlay, at: place, blend, source.size) }
        return try Tiles(overlay, at: place, spacing: spacing, blend, width: source.size.width)
    }

    /// Copies rows, unless the pass runs in place.
    fileprivate static func copy(_ rows: Range<Int>, from source: Raster, to destination: Raster) {
        if source.base != destination.base { destination.copyRows(rows, from: source) }
    }

    private final class Single: StepPass {
        private let overlay: PixelBuffer
        private let blend: RowBlend
        private let y: Int
        /// The rows of the image, and its columns, that are covered, and the column of the overlay that is first.
        private let rows: Range<Int>
        private let columns: Range<Int>
        private let skipped: Int

        init(_ overlay: PixelBuffer, at place: PixelRectangle, _ blend: RowBlend, _ size: PixelSize) {
            self.overlay = overlay
            self.blend = blend
            y = place.y
            rows = (place.y..<(place.y + place.height)).clamped(to: 0..<size.height)
            columns = (place.x..<(place.x + place.width)).clamped(to: 0..<size.width)
            skipped = columns.lowerBound - place.x
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            OverlayStep.copy(rows, from: source, to: destination)
            overlay.withUnsafePixels { pixels in
                guard let base = pixels.baseAddress else { return }
                // Rows and columns are inside both images.
                for y in rows.clamped(to: self.rows) {
                    blend.run(
                        base + (y - self.y) * overlay.pixelsPerRow + skipped,
                        onto: destination.pixels(y) + columns.lowerBound, width: columns.count)
                }
            }
        }
    }

    private final class Tiles: StepPass {
        private let overlay: PixelBuffer
        private let blend: RowBlend
        private let place: PixelRectangle
        private let spacing: Int
        /// A row of copies as wide as the image.
        private let row: LargeMemory

        init(
            _ overlay: PixelBuffer, at place: PixelRectangle, spacing: Int, _ blend: RowBlend, width: Int
        ) throws(TexelError) {
            self.overlay = overlay
            self.blend = blend
            self.place = place
            self.spacing = spacing
            let byteCount = width * PixelBuffer.bytesPerPixel
            guard let row = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
            self.row = row
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            OverlayStep.copy(rows, from: source, to: destination)
            let tiles = row.base.assumingMemoryBound(to: UInt32.self)
            let width = destination.size.width
            for y in rows {
                let overlayRow = Self.remainder(y - place.y, place.height + spacing)
                guard overlayRow < overlay.height else { continue }
                fill(tiles, width, from: overlayRow)
                blend.run(tiles, onto: destination.pixels(y), width: width)
            }
        }

        /// Writes copies of a row of the overlay, with transparent pixels between them.
        private func fill(_ tiles: UnsafeMutablePointer<UInt32>, _ width: Int, from y: Int) {
            let period = overlay.width + spacing
            overlay.withUnsafePixels { pixels in
                let first = y * overlay.pixelsPerRow
                // The first period, which begins inside a copy or a gap.
                let written = min(period, width)
                for x in 0..<written {
                    let column = Self.remainder(x - place.x, period)
                    tiles[x] = column < overlay.width ? pixels[first + column] : 0
                }
                // The rest repeats it: twice as much each time.
                var count = written
                while count < width {
                    let copied = min(count, width - count)
                    (tiles + count).update(from: tiles, count: copied)
                    count += copied
                }
            }
        }

        /// The remainder of a division that rounds down.
        private static func remainder(_ number: Int, _ divisor: Int) -> Int {
            let remainder = number % divisor
            return remainder < 0 ? remainder + divisor : remainder
        }
    }
}
