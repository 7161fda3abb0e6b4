import Texel

/// One of several equal parts of a list of jobs: `2/3`.
///
/// A line's hash determines its part, independent of the rest of the list and of its order. So workers with the same
/// list share the jobs without communicating, and a duplicate job always belongs to the same worker.
struct Shard: ArgumentValue {
    private let index: Int
    private let count: Int

    init?(argument: String) {
        let numbers = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], (1...65_536).contains(count),
            (1...count).contains(index)
        else { return nil }
        self.index = index
        self.count = count
    }

    /// Whether the line belongs to this part: the first eight bytes of its BLAKE2b-256 hash, little-endian, modulo
    /// the number of parts.
    func contains(_ line: JobLine) -> Bool {
        let hash = UInt64(truncatingIfNeeded: ContentDigest(of: line.bytes).bytes.littleEndian(8, at: 0))
        return Int(hash % UInt64(count)) == index - 1
    }
}
