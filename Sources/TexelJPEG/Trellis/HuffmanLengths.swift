import TexelCodecs

/// The code lengths of the optimal Huffman code that JPEG allows for given symbol counts.
///
/// Follows ITU-T T.81, K.2: Huffman's procedure with a reserved symbol, so that no code is all ones, then a limit of 16
/// bits. libjpeg uses the same procedure, so the total number of bits is equal.
struct HuffmanLengths {
    /// The code length of each symbol in bits; 0 for symbols that do not occur.
    let lengths: [UInt8]
    /// The number of symbols that occur.
    let symbolCount: Int
    /// The total number of bits of all codes.
    let bitCount: Int

    private static let limit = 16

    /// - Parameter counts: the number of occurrences of each of at most 256 symbols.
    init(_ counts: [Int]) {
        let used = counts.indices.filter { counts[$0] > 0 }
        var lengths = [UInt8](repeating: 0, count: counts.count)
        symbolCount = used.count
        guard !used.isEmpty else {
            self.lengths = lengths
            bitCount = 0
            return
        }
        var lengthCounts = Self.limited(Self.lengthCounts(used.map { counts[$0] }))
        // The reserved symbol has one of the longest codes.
        if let longest = lengthCounts.lastIndex(where: { $0 > 0 }) { lengthCounts[longest] -= 1 }
        // The most frequent symbols get the shortest codes, as in libjpeg's tables except for ties.
        let byCount = used.sorted { (counts[$0], $1) > (counts[$1], $0) }
        var next = 0
        var bitCount = 0
        for (length, count) in lengthCounts.enumerated() {
            for symbol in byCount[next..<(next + count)] {
                lengths[symbol] = UInt8(length)
                bitCount += counts[symbol] * length
            }
            next += count
        }
        self.lengths = lengths
        self.bitCount = bitCount
    }

    /// Returns the number of codes of each length, including the reserved symbol's.
    ///
    /// Among trees of equal weight, the one whose first leaf has the highest index is taken first, as in libjpeg. The
    /// total number of bits would be the same in any order, but not after the reserved symbol is removed.
    private static func lengthCounts(_ counts: [Int]) -> [Int] {
        // The weight of each tree, stored at its first leaf; the remaining trees; for each leaf, the next leaf of its
        // tree.
        var weights = counts + [1]
        var trees = Array(weights.indices)
        var next = [Int](repeating: -1, count: weights.count)
        var depths = [Int](repeating: 0, count: weights.count)
        /// Increments the depth of all leaves of a tree; returns its last leaf.
        func deepen(_ tree: Int) -> Int {
            var leaf = tree
            while true {
                depths[leaf] += 1
                if next[leaf] < 0 { return leaf }
                leaf = next[leaf]
            }
        }
        func lightest(except other: Int = -1) -> Int {
            var best = -1
            for place in trees.indices where place != other {
                if best < 0 || weights[trees[place]] <= weights[trees[best]] { best = place }
            }
            return best
        }
        while trees.count > 1 {
            let first = lightest()
            let second = lightest(except: first)
            let (a, b) = (trees[first], trees[second])
            weights[a] += weights[b]
            _ = deepen(b)
            next[deepen(a)] = b
            trees.remove(at: second)
        }
        var result = [Int](repeating: 0, count: max(limit, weights.count) + 1)
        for depth in depths { result[depth] += 1 }
        return result
    }

    /// Limits the code lengths to 16 bits (ITU-T T.81, figure K.3). Each step removes two of the longest codes: one
    /// symbol gets their common prefix; the other and the symbol of a shorter code share that code, extended by one
    /// bit.
    private static func limited(_ counts: [Int]) -> [Int] {
        var counts = counts
        for length in stride(from: counts.count - 1, to: limit, by: -1) {
            while counts[length] > 0 {
                guard let shorter = (1..<(length - 1)).last(where: { counts[$0] > 0 }) else { break }
                counts[length] -= 2
                counts[length - 1] += 1
                counts[shorter + 1] += 2
                counts[shorter] -= 1
            }
        }
        return Array(counts.prefix(limit + 1))
    }
}
