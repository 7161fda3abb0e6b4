import TexelPixels

/// Finds the hashes of 64 bits that differ from each other in few bits, without comparing all pairs.
///
/// Multi-index hashing (M. Norouzi, A. Punjani and D. J. Fleet, "Fast Search in Hamming Space with Multi-Index
/// Hashing", CVPR 2012): each hash is stored under each of its four words of 16 bits. Two hashes that differ in at most
/// `d` bits differ in at most d / 4 bits of one of the words, so only hashes that share such a word are compared.
package struct HammingIndex {
    private static let wordCount = 4
    private static let wordBits = 16

    /// The indices of the hashes ordered by one of their words, and where those with each word begin.
    private struct Table {
        var starts: [UInt32]
        var members: [UInt32]
    }

    private let hashes: [UInt64]
    private let tables: [Table]

    /// Builds the index.
    ///
    /// - Complexity: O(n) time and memory.
    package init(_ hashes: [UInt64]) {
        self.hashes = hashes
        tables = (0..<Self.wordCount).map { word in
            // A counting sort.
            var starts = [UInt32](repeating: 0, count: 1 << Self.wordBits + 1)
            for hash in hashes { starts[Self.word(word, of: hash) + 1] += 1 }
            for value in 1..<starts.count { starts[value] += starts[value - 1] }
            var next = starts
            var members = [UInt32](repeating: 0, count: hashes.count)
            for (index, hash) in hashes.enumerated() {
                let value = Self.word(word, of: hash)
                members[Int(next[value])] = UInt32(index)
                next[value] += 1
            }
            return Table(starts: starts, members: members)
        }
    }

    /// Returns the indices of the hashes that differ from that at `index` in at most `distance` bits and come after it,
    /// in ascending order.
    package func laterNeighbors(of index: Int, within distance: Int) -> [Int] {
        let hash = hashes[index]
        // With a distance of 4 a + b, one of the first b + 1 words differs in at most a bits, or one of the others in
        // at most a - 1: otherwise (b + 1) (a + 1) + (3 - b) a = distance + 1 bits would differ.
        let (share, rest) = (max(0, distance) / Self.wordCount, max(0, distance) % Self.wordCount)
        let masks = (0..<Self.wordCount).map { Self.masks(radius: $0 <= rest ? share : share - 1) }
        // Few hashes are compared faster than so many words are looked up.
        guard hashes.count - index > masks.reduce(0, { $0 + $1.count }) else {
            return ((index + 1)..<hashes.count).filter { (hashes[$0] ^ hash).nonzeroBitCount <= distance }
        }
        var found: Set<Int> = []
        for (word, table) in tables.enumerated() {
            let value = Self.word(word, of: hash)
            for mask in masks[word] {
                let neighbor = value ^ mask
                for place in table.starts[neighbor]..<table.starts[neighbor + 1] {
                    let other = Int(table.members[Int(place)])
                    if other > index, (hashes[other] ^ hash).nonzeroBitCount <= distance { found.insert(other) }
                }
            }
        }
        return found.sorted()
    }

    private static func word(_ index: Int, of hash: UInt64) -> Int {
        Int(hash >> UInt64(index * wordBits) & 0xFFFF)
    }

    /// The words with at most `radius` bits set; none if it is negative.
    private static func masks(radius: Int) -> ArraySlice<Int> {
        masksByCount.prefix(radius < 0 ? 0 : countsWithin[min(radius, wordBits)])
    }

    /// All words, those with fewer bits first.
    private static let masksByCount = (0..<1 << wordBits).sorted { ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1) }

    /// For each radius the number of words with at most that many bits.
    private static let countsWithin = (0...wordBits).map { radius in
        masksByCount.count { $0.nonzeroBitCount <= radius }
    }
}
