/// A set of byte positions, stored as sorted ranges that do not touch.
///
/// A malicious block can name a hundred thousand overlapping ranges, so every operation is a sort and one linear pass.
struct ByteRanges {
    let ranges: [Range<Int>]

    init(_ unsorted: [Range<Int>]) {
        var merged: [Range<Int>] = []
        for range in unsorted.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    /// Returns the positions that are not in `other`, as sorted ranges.
    func subtracting(_ other: ByteRanges) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var holes = other.ranges[...]
        for range in ranges {
            var start = range.lowerBound
            while let hole = holes.first, hole.lowerBound < range.upperBound {
                if start < hole.lowerBound { result.append(start..<hole.lowerBound) }
                start = max(start, hole.upperBound)
                // A hole that extends beyond this range may also overlap the next one.
                if hole.upperBound > range.upperBound { break }
                holes.removeFirst()
            }
            if start < range.upperBound { result.append(start..<range.upperBound) }
        }
        return result
    }
}
