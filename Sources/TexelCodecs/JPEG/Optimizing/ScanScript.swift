/// How a file's coefficients are spread over its scans.
struct ScanScript: Sendable, Hashable {
    /// ITU-T T.81, B.2.3 and G.1.1.1.
    struct Scan: Sendable, Hashable {
        var components: [Int]
        /// In zigzag order.
        var coefficients: ClosedRange<Int>
        /// From which bit on earlier scans have sent them; 0 for a first one.
        var highBit = 0
        /// From which bit on this one does.
        var lowBit = 0
    }

    /// None for a sequential file, which has one of everything.
    let scans: [Scan]
    /// Bytes of the scans with their headers and Huffman tables, without the zeros behind bytes of 255.
    let byteCount: Int
}
