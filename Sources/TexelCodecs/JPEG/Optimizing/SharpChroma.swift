import TexelPixels

/// Colour differences of half the size, made so that what a decoder interpolates from them is near the original: the mean of
/// two by two samples would come out blurred.
///
/// Decoders interpolate with weights of 3/4 and 1/4 (libjpeg's "fancy upsampling"). The mean of what that makes of a row is
/// each of its samples times 3/4 and its neighbours' times 1/8, so the error that is fed back can be had without ever
/// interpolating.
enum SharpChroma {
    /// Of the samples.
    static let fractionBits = 6

    /// - Parameters:
    ///   - factors: by how much the component becomes coarser across and down: 1 or 2.
    ///   - read: writes a row of samples around neutral in 1/16.
    /// - Throws: `outOfMemory`, `stopped`.
    static func samples(
        of original: PixelSize, reducedBy factors: (horizontal: Int, vertical: Int), _ rows: BlockRows,
        read: @escaping @Sendable (_ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(CodecError) -> WordPlane {
        let size = PixelSize(
            width: (original.width + factors.horizontal - 1) / factors.horizontal,
            height: (original.height + factors.vertical - 1) / factors.vertical)
        let means = try WordPlane(size)
        try rows.forEach(size.height) { y in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 2 * original.width) { samples in
                // Two rows of the original, which are the same where it is not halved downwards or ends.
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
            // Below an odd height the interpolation ends with the row above.
            let below =
                y + 1 < size.height
                ? UnsafePointer(means.row(y + 1)) : original.height % 2 == 1 ? above : UnsafePointer(means.row(y))
            sharpen(
                means.row(y), factors.vertical == 2 ? (above, below) : nil, width: size.width,
                isHalved: factors.horizontal == 2, endsOdd: original.width % 2 == 1, into: result.row(y))
        }
        return result
    }

    /// Sums of four samples in 1/16, which are their means in 1/64.
    private static func average(
        _ upper: UnsafePointer<Int16>, _ lower: UnsafePointer<Int16>, width: Int, _ factor: Int,
        into result: UnsafeMutablePointer<Int16>
    ) {
        // At most 4 × 128 × 16 = 8,192.
        guard factor == 2 else {
            for x in 0..<width { result[x] = 2 &* (upper[x] &+ lower[x]) }
            return
        }
        for x in 0..<(width / 2) {
            result[x] = upper[2 * x] &+ upper[2 * x + 1] &+ lower[2 * x] &+ lower[2 * x + 1]
        }
        if width % 2 == 1 { result[width / 2] = 2 &* (upper[width - 1] &+ lower[width - 1]) }
    }

    /// A row of means plus what their interpolation lacks.
    ///
    /// - Parameter neighbours: the rows above and below; `nil` where none is interpolated.
    private static func sharpen(
        _ row: UnsafePointer<Int16>, _ neighbours: (above: UnsafePointer<Int16>, below: UnsafePointer<Int16>)?,
        width: Int, isHalved: Bool, endsOdd: Bool, into result: UnsafeMutablePointer<Int16>
    ) {
        // What a row of three becomes, eight times, and one before and behind it.
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

/// Rows of words.
///
/// Unchecked because of the memory: each row is written by one thread at a time, and read when all are written.
final class WordPlane: @unchecked Sendable {
    let size: PixelSize
    /// Blocks of 64 words, so that rows of any width fit.
    private let blocks: BlockPlane

    /// - Throws: `outOfMemory`.
    init(_ size: PixelSize) throws(CodecError) {
        self.size = size
        blocks = try BlockPlane(width: (size.width + 63) / 64, height: size.height)
    }

    func row(_ y: Int) -> UnsafeMutablePointer<Int16> { blocks.row(y) }
}
