/// The lengths of the shortest Huffman code that a JPEG file may have for symbols that occur so often.
///
/// The procedures of ITU-T T.81, K.2: Huffman's, with a symbol reserved so that no code is all ones, then longer codes
/// cut to 16 bits. libjpeg makes its tables the same way, so the sums of bits are equal.
struct HuffmanLengths {
    /// Bits of the code for each symbol; 0 for those that do not occur.
    let lengths: [UInt8]
    /// How many symbols occur.
    let symbolCount: Int
    /// Bits of all codes.
    let bitCount: Int

    private static let limit = 16

    /// - Parameter counts: how often each of at most 256 symbols occurs.
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
        // The most frequent symbols have the shortest codes; that is what libjpeg's tables come to, ties apart.
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

    /// How many codes have each length, the reserved symbol's among them.
    ///
    /// Of trees that are equally light those whose first leaf is the later symbol go first, as in libjpeg: the sums of
    /// bits are equal anyhow, but not what is left of them without the reserved symbol.
    private static func lengthCounts(_ counts: [Int]) -> [Int] {
        // Each tree's weight, at the place of its first leaf; those that are left, and for each leaf its tree's next.
        var weights = counts + [1]
        var trees = Array(weights.indices)
        var next = [Int](repeating: -1, count: weights.count)
        var depths = [Int](repeating: 0, count: weights.count)
        /// Gives all leaves of a tree one bit more, and returns the last.
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

    /// The same with no code longer than 16 bits (ITU-T T.81, figure K.3): a pair of the longest codes becomes one that
    /// is a bit shorter, and its other half goes beneath the next shorter code there is.
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
