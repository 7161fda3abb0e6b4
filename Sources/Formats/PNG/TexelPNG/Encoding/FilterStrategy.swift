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
    /// The filter whose literals and matches after the preceding rows take the fewest bits, by an estimate; of the
    /// filters whose literals alone are nearly the cheapest, as in photographs.
    case matches
    /// The filter whose row deflates best after some preceding rows; of the filters whose literals and matches are
    /// nearly the cheapest, by an estimate.
    case deflated
    /// The filter that was chosen for each row before.
    case chosen([UInt8])

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
