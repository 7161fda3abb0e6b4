/// The byte order of numbers (TIFF 6.0, section 2).
package enum ByteOrder: Sendable, Hashable, CaseIterable {
    /// "II" (Intel).
    case littleEndian
    /// "MM" (Motorola).
    case bigEndian

    /// Returns the bytes of a number in this order.
    package func bytes(_ value: UInt16) -> [UInt8] {
        let (high, low) = (UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
        return self == .bigEndian ? [high, low] : [low, high]
    }

    /// Returns the bytes of a number in this order.
    package func bytes(_ value: UInt32) -> [UInt8] {
        let (high, low) = (UInt16(truncatingIfNeeded: value >> 16), UInt16(truncatingIfNeeded: value))
        return self == .bigEndian ? bytes(high) + bytes(low) : bytes(low) + bytes(high)
    }
}
