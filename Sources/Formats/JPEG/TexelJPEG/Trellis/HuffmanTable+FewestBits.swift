extension HuffmanTable {
    /// Creates the table that codes symbols in the fewest bits.
    ///
    /// - Parameter counts: the number of occurrences of each of 256 symbols.
    init(fewestBitsFor counts: [Int]) {
        let lengths = HuffmanLengths(counts).lengths
        let used = lengths.indices.filter { lengths[$0] > 0 }
        self.init(
            codeCounts: used.reduce(into: [UInt8](repeating: 0, count: 16)) { $0[Int(lengths[$1]) - 1] += 1 },
            symbols: used.sorted { (lengths[$0], $0) < (lengths[$1], $1) }.map { UInt8($0) })
    }
}
