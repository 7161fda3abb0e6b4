import TexelCore
import TexelPixels

/// Groups images that look alike.
package enum DuplicateGroups {
    /// The number of images whose candidates are compared in parallel: few, because comparisons that the results make
    /// superfluous are left out only from the next block on, but not so few that looking at all sets takes longer.
    private static func blockSize(_ count: Int) -> Int { max(256, count / 64) }

    /// Finds groups of at least two images: an image belongs to a group if it resembles one of its images.
    ///
    /// Candidates come from a search by hash. Of images that have the same hash and look alike, only the first is
    /// compared with others, so that many copies of one image take no more time than many different ones.
    ///
    /// - Parameters:
    ///   - fingerprints: the images.
    ///   - distance: how many bits of the hashes of candidates may differ.
    ///   - threads: the most threads that share the work; the result does not depend on it.
    /// - Returns: indices in ascending order; the groups are ordered by their first index.
    package static func find(
        _ fingerprints: [ImageFingerprint], within distance: Int, threads: Int = 1
    ) -> [[Int]] {
        var sets = DisjointSets(count: fingerprints.count)
        // For each hash the first of those images that look alike.
        var representatives: [UInt64: [Int]] = [:]
        var distinct: [Int] = []
        for (index, fingerprint) in fingerprints.enumerated() {
            let known = representatives[fingerprint.hash.bits, default: []]
            if let other = known.first(where: { fingerprints[$0].resembles(fingerprint) }) {
                sets.join(other, index)
            } else {
                representatives[fingerprint.hash.bits, default: []].append(index)
                distinct.append(index)
            }
        }
        let first = distinct
        let search = HammingIndex(first.map { fingerprints[$0].hash.bits })
        let blockSize = blockSize(first.count)
        for start in stride(from: 0, to: first.count, by: blockSize) {
            let block = start..<min(start + blockSize, first.count)
            // Images that belong together already need no comparison.
            let roots = first.map { sets.root(of: $0) }
            let alike = ParallelJobs.map(block.count, threads: threads) { index in
                let place = block.lowerBound + index
                return search.laterNeighbors(of: place, within: distance).filter { neighbor in
                    roots[place] != roots[neighbor]
                        && fingerprints[first[place]].resembles(fingerprints[first[neighbor]])
                }
            }
            for (place, neighbors) in zip(block, alike) {
                for neighbor in neighbors { sets.join(first[place], first[neighbor]) }
            }
        }
        return sets.groups.filter { $0.count > 1 }
    }
}

/// Sets of numbers that are joined (union-find with path halving; R. E. Tarjan, "Efficiency of a Good But Not Linear
/// Set Union Algorithm", 1975). The root of a set is its smallest number.
struct DisjointSets {
    private var parents: [Int]

    /// Makes a set of each number 0..<`count`.
    init(count: Int) { parents = Array(0..<count) }

    mutating func root(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }

    mutating func join(_ first: Int, _ second: Int) {
        let (first, second) = (root(of: first), root(of: second))
        parents[max(first, second)] = min(first, second)
    }

    /// All sets in ascending order of their smallest numbers.
    var groups: [[Int]] {
        mutating get {
            var members: [Int: [Int]] = [:]
            for number in parents.indices { members[root(of: number), default: []].append(number) }
            return members.keys.sorted().compactMap { members[$0] }
        }
    }
}
