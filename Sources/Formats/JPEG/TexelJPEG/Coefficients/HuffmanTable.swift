/// A Huffman table as a file stores it (ITU-T T.81, B.2.4.2).
struct HuffmanTable: Sendable, Hashable {
    /// The number of codes of each length from 1 to 16 bits.
    let codeCounts: [UInt8]
    /// The symbols in the order of their codes.
    let symbols: [UInt8]

    /// 16 counts, then 256 symbols.
    var paddedBytes: [UInt8] { codeCounts + symbols + [UInt8](repeating: 0, count: 256 - symbols.count) }
}
