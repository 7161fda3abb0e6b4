import TexelCodecs

/// How the filter of each row is chosen.
enum FilterStrategy: Sendable, Hashable {
    /// The same filter for all rows, by its type in the file.
    case fixed(UInt8)
    /// The filter with the smallest sum of absolute differences (PNG specification, third edition, 12.7).
    case magnitudes
    /// The filter with the smallest entropy of bytes.
    case entropy
    /// The filter whose bytes were frequent in preceding rows, so that one Huffman code fits all of them.
    case likelihood
    /// The filter with the fewest different pairs of adjacent bytes.
    case pairs
    /// The filter with the smallest entropy of pairs of adjacent bytes.
    case pairEntropy
    /// The filter whose row deflates best after some preceding rows.
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
