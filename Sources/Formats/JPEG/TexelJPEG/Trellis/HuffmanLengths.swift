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
        let weights = counts + [1]
        // The lightest tree is the last one.
        var trees = weights.indices.map { Tree(weight: weights[$0], firstLeaf: $0, node: $0) }.sorted {
            $0.isBefore($1)
        }
        var parents = [Int](repeating: 0, count: 2 * weights.count - 1)
        for node in weights.count..<parents.count {
            let (a, b) = (trees.removeLast(), trees.removeLast())
            (parents[a.node], parents[b.node]) = (node, node)
            let both = Tree(weight: a.weight + b.weight, firstLeaf: a.firstLeaf, node: node)
            let place = (trees.lastIndex { $0.isBefore(both) } ?? -1) + 1
            trees.insert(both, at: place)
        }
        // Every node has a lower index than its parent; the root is the last one.
        var depths = [Int](repeating: 0, count: parents.count)
        for node in parents.indices.dropLast().reversed() { depths[node] = depths[parents[node]] + 1 }
        var result = [Int](repeating: 0, count: max(limit, weights.count) + 1)
        for depth in depths.prefix(weights.count) { result[depth] += 1 }
        return result
    }

    /// A tree of Huffman's procedure.
    private struct Tree {
        var weight: Int
        var firstLeaf: Int
        /// The index of its root among all leaves and inner nodes.
        var node: Int

        /// Whether the tree is taken after another one.
        func isBefore(_ other: Tree) -> Bool {
            weight != other.weight ? weight > other.weight : firstLeaf < other.firstLeaf
        }
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
