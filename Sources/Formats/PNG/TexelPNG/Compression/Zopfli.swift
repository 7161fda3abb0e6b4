import CZopfli
import PlatformLibc
import TexelCodecs

/// A slow deflate compressor (RFC 1951), through zopfli. Compresses parts of the data that continue each other, each of
/// them possibly on another thread.
enum Zopfli {
    /// The bits of a deflate stream, the first in the lowest bit of the first byte; unused bits of the last byte are
    /// zero.
    struct Bits: Sendable {
        var bytes: [UInt8] = []
        /// The number of bits in the stream.
        var count = 0

        /// Appends the next part of the stream.
        mutating func append(_ next: Bits) {
            let shift = UInt8(count % 8)
            count += next.count
            guard shift > 0 else { return bytes += next.bytes }
            bytes.reserveCapacity(bytes.count + next.bytes.count)
            for byte in next.bytes {
                bytes[bytes.count - 1] |= byte << shift
                bytes.append(byte >> (8 - shift))
            }
            // All bits of the last byte may have fitted into the one before.
            if bytes.count > (count + 7) / 8 { bytes.removeLast() }
        }
    }

    /// Compresses a range of `bytes`; may refer to the 32 KB before it.
    ///
    /// - Parameter iterations: the number of attempts to find a cheaper encoding; each takes about a second per 1.5
    ///   megabytes.
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
