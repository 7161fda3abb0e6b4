import ArgumentParser
import Texel

/// One of several equal parts of a list of jobs: `2/3`.
///
/// A line's hash says which part it belongs to, whatever else is in the list and in whichever order: workers that are
/// given the same jobs share them without talking, and a job that is given twice stays with one worker.
struct Shard: ExpressibleByArgument {
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

    /// The first eight bytes of the line's BLAKE2b-256, the lowest first, modulo the number of parts.
    func contains(_ line: JobLine) -> Bool {
        let hash = ContentDigest(of: line.bytes).bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(hash % UInt64(count)) == index - 1
    }
}
