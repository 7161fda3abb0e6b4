/// How the filter of each row is found.
enum FilterStrategy: Sendable, Hashable {
    /// The same everywhere: its number in the file.
    case fixed(UInt8)
    /// The filter whose bytes, read as signed numbers, have the smallest sum of magnitudes (PNG specification, third
    /// edition, 12.7).
    case magnitudes
    /// That whose bytes have the smallest entropy.
    case entropy
    /// That whose bytes are those that were frequent in the rows before, so that one Huffman code fits all of them.
    case likelihood
    /// That with the fewest different pairs of neighbouring bytes.
    case pairs
    /// That whose pairs of neighbouring bytes have the smallest entropy.
    case pairEntropy
    /// That which deflates best behind some of the rows before it.
    case deflated

    init(_ filter: PNGOptions.Filter) {
        self =
            switch filter {
            case .unfiltered: .fixed(0)
            case .sub: .fixed(1)
            case .up: .fixed(2)
            case .average: .fixed(3)
            case .paeth: .fixed(4)
            case .adaptive: .magnitudes
            }
    }
}
