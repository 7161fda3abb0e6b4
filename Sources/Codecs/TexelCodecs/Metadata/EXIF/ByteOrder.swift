import TexelPixels

/// The byte order of numbers (TIFF 6.0, section 2).
package enum ByteOrder: Sendable, Hashable, CaseIterable {
    /// "II" (Intel).
    case littleEndian
    /// "MM" (Motorola).
    case bigEndian

    /// Returns the lowest `count` bytes of a number in this order.
    package func bytes(_ value: Int, count: Int) -> [UInt8] {
        self == .bigEndian ? [UInt8](bigEndian: value, count: count) : [UInt8](littleEndian: value, count: count)
    }

    /// Returns the bytes of a number in this order.
    package func bytes(_ value: UInt16) -> [UInt8] { bytes(Int(value), count: 2) }

    /// Returns the bytes of a number in this order.
    package func bytes(_ value: UInt32) -> [UInt8] { bytes(Int(value), count: 4) }

    /// Reads a number of at most eight bytes; eight are the bit pattern of the result.
    ///
    /// - Parameter position: the first byte. The caller has checked that all bytes of the number are there.
    package func number<Bytes: Collection<UInt8>>(
        _ count: Int, at position: Int, in bytes: Bytes
    ) -> Int where Bytes.Index == Int {
        self == .bigEndian ? bytes.bigEndian(count, at: position) : bytes.littleEndian(count, at: position)
    }
}
