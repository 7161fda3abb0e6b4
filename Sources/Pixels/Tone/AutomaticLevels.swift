import CPixelKernels
package import TexelCore

/// The stretch of an image's colours to the whole range, prepared for images of one shape. Used by one thread at a
/// time; running it allocates nothing.
///
/// All channels are stretched alike, which keeps greys, by the luma (ITU-R BT.601) of the darkest and the brightest
/// pixels that remain when some of each are left out.
package final class AutomaticLevels {
    private let lowerPercentile: Double
    private let upperPercentile: Double
    private let shape: RasterShape
    private let row: StraightRow
    private let luma: PixelStorage
    /// How often each luma occurs, counted separately for neighbouring pixels: equal ones would wait for each other's
    /// increment.
    private var counts = [Int](repeating: 0, count: 2 * 256)
    /// The same table for blue, green and red.
    private var tables = [UInt8](repeating: 0, count: 3 * 256)

    /// - Parameters:
    ///   - lowerPercentile: the part of the pixels in percent that may become black, 0…100.
    ///   - upperPercentile: the part that may not become white, larger than `lowerPercentile`.
    /// - Throws: `outOfMemory`.
    package init(
        lowerPercentile: Double, upperPercentile: Double, for shape: RasterShape
    ) throws(TexelError) {
        precondition(lowerPercentile >= 0 && lowerPercentile < upperPercentile && upperPercentile <= 100)
        self.lowerPercentile = lowerPercentile
        self.upperPercentile = upperPercentile
        self.shape = shape
        row = try StraightRow(for: shape)
        luma = try PixelStorage(byteCount: shape.size.width, zeroed: false)
    }

    /// Finds the levels of an image of the shape.
    package func begin(_ source: Raster) {
        precondition(source.size == shape.size, "the sizes differ")
        count(source)
        setTables()
    }

    /// Writes rows of the result.
    ///
    /// - Parameters:
    ///   - source: the image that ``begin(_:)`` was called with.
    ///   - destination: not the source.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(source.size == shape.size && destination.size == shape.size, "the sizes differ")
        let kernels = texel_kernels_in_use().pointee
        let width = shape.size.width
        tables.withUnsafeBufferPointer { tables in
            guard let tables = tables.baseAddress else { return }
            row.forEach(rows, from: source, to: destination) { _, from, to in
                kernels.map_color_row(to, from, width, tables)
            }
        }
    }

    /// Counts the luma of all pixels that are not fully transparent.
    private func count(_ source: Raster) {
        let kernels = texel_kernels_in_use().pointee
        let width = shape.size.width
        let luma = luma.base.assumingMemoryBound(to: UInt8.self)
        let countsAll = shape.alphaMode == .opaque
        counts.withUnsafeMutableBufferPointer { counts in
            counts.update(repeating: 0)
            for y in 0..<shape.size.height {
                let pixels = row.pixels(y, of: source)
                kernels.luma_row(luma, pixels, width)
                for x in 0..<width where countsAll || pixels[x * 4 + 3] != 0 {
                    counts[(x & 1) * 256 + Int(luma[x])] += 1
                }
            }
        }
    }

    private func setTables() {
        let total = counts.reduce(0, +)
        func count(_ value: Int) -> Int { counts[value] + counts[256 + value] }
        /// The first value that remains when a part of the pixels is left out; `nil` if none does.
        func first(of values: some Sequence<Int>, percent: Double) -> Int? {
            var rest = Int(Double(total) * percent / 100)
            return values.first { value in
                rest -= count(value)
                return rest < 0
            }
        }
        let black = first(of: 0...255, percent: lowerPercentile)
        let white = first(of: (0...255).reversed(), percent: 100 - upperPercentile)
        for value in 0...255 {
            var stretched = value
            if let black, let white, white > black {
                let range = white - black
                stretched = min(max(((value - black) * 510 + range) / (2 * range), 0), 255)
            }
            for channel in 0..<3 { tables[channel * 256 + value] = UInt8(stretched) }
        }
    }
}
