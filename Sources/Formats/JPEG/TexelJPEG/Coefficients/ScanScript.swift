import TexelCodecs

/// The division of a file's coefficients into scans.
struct ScanScript: Sendable, Hashable {
    /// The parameters of a scan header (ITU-T T.81, B.2.3 and G.1.1.1).
    struct Scan: Sendable, Hashable {
        var components: [Int]
        /// The band of coefficients, in zigzag order.
        var coefficients: ClosedRange<Int>
        /// The lowest bit position in earlier scans (Ah); 0 for a first scan.
        var highBit = 0
        /// The lowest bit position in this scan (Al).
        var lowBit = 0
    }

    /// Empty for a sequential file with a single scan.
    let scans: [Scan]
    /// The size in bytes of the scans with their headers and Huffman tables, without stuffed zero bytes.
    let byteCount: Int
}
