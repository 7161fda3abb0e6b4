/// The Huffman symbols of components that share their tables, in a scan of all coefficients.
struct SequentialCounts: Sendable {
    var means: ScanCounts
    var frequencies: ScanCounts

    static func + (a: SequentialCounts, b: SequentialCounts) -> SequentialCounts {
        SequentialCounts(means: a.means + b.means, frequencies: a.frequencies + b.frequencies)
    }

    /// The tables that code these symbols in the fewest bits: of DC differences, and of AC coefficients.
    var tables: [HuffmanTable] {
        [HuffmanTable(fewestBitsFor: means.symbols), HuffmanTable(fewestBitsFor: frequencies.symbols)]
    }
}
