// The numbers of files and messages: the one place that knows how to put their bytes together.

extension Collection<UInt8> where Index == Int {
    /// Reads a number of at most eight bytes, the lowest first. Eight bytes are the bit pattern of the result.
    ///
    /// - Parameter position: the first byte. The caller has checked that all bytes of the number are there.
    @inlinable
    package func littleEndian(_ count: Int, at position: Int) -> Int {
        var number = 0
        for index in 0..<count { number |= Int(self[position + index]) << (8 * index) }
        return number
    }

    /// Reads a number of at most eight bytes, the highest first. Eight bytes are the bit pattern of the result.
    ///
    /// - Parameter position: the first byte. The caller has checked that all bytes of the number are there.
    @inlinable
    package func bigEndian(_ count: Int, at position: Int) -> Int {
        var number = 0
        for index in 0..<count { number = number << 8 | Int(self[position + index]) }
        return number
    }
}

extension [UInt8] {
    /// The lowest bytes of a number, the lowest first.
    package init(littleEndian number: Int, count: Int) {
        self = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The lowest bytes of a number, the highest first.
    package init(bigEndian number: Int, count: Int) {
        self = [UInt8](littleEndian: number, count: count).reversed()
    }
}
