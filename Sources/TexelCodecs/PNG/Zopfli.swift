import CZopfli

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A deflate compressor (RFC 1951) that takes its time, through zopfli: parts of memory that go on where the one before
/// ended, each of which may be compressed by another thread.
enum Zopfli {
    /// Bits of a deflate stream, the first in the lowest bit of the first byte; those behind the last are zero.
    struct Bits: Sendable {
        var bytes: [UInt8] = []
        /// How many belong to the stream.
        var count = 0

        /// Appends what follows in the stream.
        mutating func append(_ next: Bits) {
            let shift = UInt8(count % 8)
            count += next.count
            guard shift > 0 else { return bytes += next.bytes }
            bytes.reserveCapacity(bytes.count + next.bytes.count)
            for byte in next.bytes {
                bytes[bytes.count - 1] |= byte << shift
                bytes.append(byte >> (8 - shift))
            }
            // The last byte's bits may all have gone into the one before.
            if bytes.count > (count + 7) / 8 { bytes.removeLast() }
        }
    }

    /// Compresses a range of `bytes`; the 32 KB before it may be referred to.
    ///
    /// - Parameter iterations: how often it looks for a cheaper way to say the same; each takes about a second for a
    ///   megabyte and a half.
    static func compressed(_ bytes: [UInt8], _ range: Range<Int>, iterations: Int, isLast: Bool) -> Bits {
        var options = ZopfliOptions()
        ZopfliInitOptions(&options)
        options.numiterations = Int32(iterations)
        var bitPosition: UInt8 = 0
        var result: UnsafeMutablePointer<UInt8>?
        var count = 0
        let dynamicBlocks: Int32 = 2
        bytes.withUnsafeBufferPointer { bytes in
            ZopfliDeflatePart(
                &options, dynamicBlocks, isLast ? 1 : 0, bytes.baseAddress, range.lowerBound, range.upperBound,
                &bitPosition, &result, &count)
        }
        defer { free(result) }
        let stream = Array(UnsafeBufferPointer(start: result, count: count))
        return Bits(bytes: stream, count: bitPosition == 0 ? count * 8 : (count - 1) * 8 + Int(bitPosition))
    }
}
