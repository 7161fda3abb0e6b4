package import TexelCore
package import TexelPixels

/// Reduces chroma planes to half the size so that the planes that decoders interpolate are close to the original. The
/// mean of 2 × 2 samples alone would look blurred.
///
/// Decoders interpolate with weights of 3/4 and 1/4 (libjpeg's "fancy upsampling"). The mean of two interpolated
/// samples is 3/4 of their common sample plus 1/8 of each neighbour, so the error to compensate can be computed without
/// interpolating.
package enum SharpChroma {
    /// The number of fraction bits in the resulting samples.
    package static let fractionBits = 6

    /// Reduces a chroma component.
    ///
    /// - Parameters:
    ///   - factors: the divisors of the width and the height: 1 or 2.
    ///   - read: writes a row of samples, centred on zero, in units of 1/16.
    /// - Throws: `outOfMemory`, `stopped`.
    package static func samples(
        of original: PixelSize, reducedBy factors: (horizontal: Int, vertical: Int), _ rows: BlockRows,
        read: @escaping @Sendable (_ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(TexelError) -> WordPlane {
        let size = PixelSize(
            width: (original.width + factors.horizontal - 1) / factors.horizontal,
            height: (original.height + factors.vertical - 1) / factors.vertical)
        let means = try WordPlane(size)
        try rows.forEach(size.height) { y in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 2 * original.width) { samples in
                // Two rows of the original; the same row twice if the height is not halved, or after the last row.
                guard let upper = samples.baseAddress else { return }
                let lower = upper + original.width
                read(y * factors.vertical, upper)
                read(min(y * factors.vertical + factors.vertical - 1, original.height - 1), lower)
                average(upper, lower, width: original.width, factors.horizontal, into: means.row(y))
            }
        }
        let result = try WordPlane(size)
        try rows.forEach(size.height) { y in
            let above = UnsafePointer(means.row(max(y - 1, 0)))
            // With an odd height, interpolation at the bottom edge uses the row above.
            let below =
                y + 1 < size.height
                ? UnsafePointer(means.row(y + 1)) : original.height % 2 == 1 ? above : UnsafePointer(means.row(y))
            sharpen(
                means.row(y), factors.vertical == 2 ? (above, below) : nil, width: size.width,
                isHalved: factors.horizontal == 2, endsOdd: original.width % 2 == 1, into: result.row(y))
        }
        return result
    }

    /// Writes the sums of four samples in units of 1/16, which are their means in units of 1/64.
    private static func average(
        _ upper: UnsafePointer<Int16>, _ lower: UnsafePointer<Int16>, width: Int, _ factor: Int,
        into result: UnsafeMutablePointer<Int16>
    ) {
        // Magnitudes are at most 4 × 128 × 16 = 8,192.
        guard factor == 2 else {
            for x in 0..<width { result[x] = 2 &* (upper[x] &+ lower[x]) }
            return
        }
        for x in 0..<(width / 2) {
            result[x] = upper[2 * x] &+ upper[2 * x + 1] &+ lower[2 * x] &+ lower[2 * x + 1]
        }
        if width % 2 == 1 { result[width / 2] = 2 &* (upper[width - 1] &+ lower[width - 1]) }
    }

    /// Writes a row of means plus what interpolation would lose.
    ///
    /// - Parameter neighbours: the rows above and below; `nil` without vertical interpolation.
    private static func sharpen(
        _ row: UnsafePointer<Int16>, _ neighbours: (above: UnsafePointer<Int16>, below: UnsafePointer<Int16>)?,
        width: Int, isHalved: Bool, endsOdd: Bool, into result: UnsafeMutablePointer<Int16>
    ) {
        // The vertically smoothed row, times eight, with one sample of padding at each end.
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: width + 2) { memory in
            guard let sums = memory.baseAddress.map({ $0 + 1 }) else { return }
            if let (above, below) = neighbours {
                for x in 0..<width { sums[x] = 6 &* Int32(row[x]) &+ Int32(above[x]) &+ Int32(below[x]) }
            } else {
                for x in 0..<width { sums[x] = 8 &* Int32(row[x]) }
            }
            sums[-1] = sums[0]
            sums[width] = endsOdd ? sums[max(width - 2, 0)] : sums[width - 1]
            for x in 0..<width {
                let sum = isHalved ? 6 &* sums[x] &+ sums[x - 1] &+ sums[x + 1] : 8 &* sums[x]
                let value = 2 &* Int32(row[x]) &- ((sum &+ 32) >> 6)
                result[x] = Int16(truncatingIfNeeded: min(max(value, -128 << 6), 127 << 6))
            }
        }
    }
}

/// A plane of 16-bit samples.
///
/// Unchecked because of the memory: each row is written by one thread at a time, and read after all are written.
package final class WordPlane: @unchecked Sendable {
    package let size: PixelSize
    private let memory: LargeMemory
    /// The distance between rows in words: whole cache lines.
    private let wordsPerRow: Int

    /// - Throws: `outOfMemory`.
    package init(_ size: PixelSize) throws(TexelError) {
        self.size = size
        wordsPerRow = (size.width + 63) / 64 * 64
        let (words, isTooLarge) = wordsPerRow.multipliedReportingOverflow(by: size.height)
        guard !isTooLarge, words <= Int.max / 2, let memory = LargeMemory(byteCount: max(1, 2 * words)) else {
            throw .outOfMemory
        }
        self.memory = memory
    }

    /// Returns row `y`, which must exist.
    package func row(_ y: Int) -> UnsafeMutablePointer<Int16> {
        precondition(y >= 0 && y < size.height)
        return memory.base.assumingMemoryBound(to: Int16.self) + y * wordsPerRow
    }
}
