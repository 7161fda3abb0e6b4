public import TexelCore
public import TexelPixels

/// How often each value of each channel occurs in an image, and each value of luma.
///
/// Colours are straight samples in the image's own colour space. Fully transparent pixels have no colour, so ``red``,
/// ``green``, ``blue`` and ``luma`` do not count them; every other pixel counts once, whatever its alpha is. ``alpha``
/// counts all pixels.
public struct ImageHistogram: Sendable, Hashable {
    /// The number of pixels with each value of red, 256 numbers.
    public var red: [Int]
    /// The number of pixels with each value of green.
    public var green: [Int]
    /// The number of pixels with each value of blue.
    public var blue: [Int]
    /// The number of pixels with each value of alpha.
    public var alpha: [Int]
    /// The number of pixels with each value of luma, (19595 R + 38470 G + 7471 B + 32768) / 65536: the weights of ITU-R
    /// BT.601.
    public var luma: [Int]

    /// The number of pixels in the image.
    public var pixelCount: Int { alpha.reduce(0, +) }
    /// The number of pixels that are not fully transparent.
    public var visiblePixelCount: Int { pixelCount - alpha[0] }

    /// Creates the histogram of an image without pixels.
    init() {
        let none = [Int](repeating: 0, count: 256)
        (red, green, blue, alpha, luma) = (none, none, none, none, none)
    }

    static func + (first: Self, second: Self) -> Self {
        var sum = first
        for path in [\Self.red, \.green, \.blue, \.alpha, \.luma] {
            for value in 0..<256 { sum[keyPath: path][value] += second[keyPath: path][value] }
        }
        return sum
    }
}

extension PixelBuffer {
    /// Counts the values of the channels and of luma.
    ///
    /// - Parameter threads: the maximum number of threads, including the calling one. The result does not depend on it.
    /// - Throws: `outOfMemory` if a premultiplied image cannot be converted.
    public func histogram(threads: Int = 1) throws(TexelError) -> ImageHistogram {
        let straight = try unpremultiplied()
        let bandHeight = max(64, (height + 63) / 64)
        let bands = try ParallelJobs.map((height + bandHeight - 1) / bandHeight, threads: threads) {
            (band: Int) throws(TexelError) in
            let begin = band * bandHeight
            return straight.histogram(rows: begin..<min(begin + bandHeight, straight.height))
        }
        return bands.reduce(ImageHistogram(), +)
    }

    /// Counts the values in some rows of a straight or opaque image.
    private func histogram(rows: Range<Int>) -> ImageHistogram {
        // Two tables, for even and odd columns: equal neighbours would otherwise wait for each other's increment.
        let tableSize = 5 * 256
        var counts = [Int](repeating: 0, count: 2 * tableSize)
        withUnsafePixels { pixels in
            counts.withUnsafeMutableBufferPointer { counts in
                for y in rows {
                    let row = UnsafeBufferPointer(rebasing: pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)])
                    for x in row.indices {
                        let pixel = row[x]
                        let table = (x & 1) * tableSize
                        let alpha = Int(pixel >> 24)
                        counts[table + 768 + alpha] += 1
                        guard alpha != 0 else { continue }
                        counts[table + Int(pixel >> 16 & 255)] += 1
                        counts[table + 256 + Int(pixel >> 8 & 255)] += 1
                        counts[table + 512 + Int(pixel & 255)] += 1
                        counts[table + 1024 + Int(Luma.of(pixel))] += 1
                    }
                }
            }
        }
        func channel(_ index: Int) -> [Int] {
            (0..<256).map { counts[index * 256 + $0] + counts[tableSize + index * 256 + $0] }
        }
        var histogram = ImageHistogram()
        (histogram.red, histogram.green, histogram.blue) = (channel(0), channel(1), channel(2))
        (histogram.alpha, histogram.luma) = (channel(3), channel(4))
        return histogram
    }
}
