/// Which byte of a number comes first (TIFF 6.0, section 2).
package enum ByteOrder: Sendable, Hashable, CaseIterable {
    /// "II", as Intel's processors.
    case littleEndian
    /// "MM", as Motorola's.
    case bigEndian

    package func bytes(_ value: UInt16) -> [UInt8] {
        let (high, low) = (UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
        return self == .bigEndian ? [high, low] : [low, high]
    }

    package func bytes(_ value: UInt32) -> [UInt8] {
        let (high, low) = (UInt16(truncatingIfNeeded: value >> 16), UInt16(truncatingIfNeeded: value))
        return self == .bigEndian ? bytes(high) + bytes(low) : bytes(low) + bytes(high)
    }
}
