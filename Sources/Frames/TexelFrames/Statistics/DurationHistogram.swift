/// Counts durations in microseconds, up to one hour, with a precision of 1/128.
///
/// Buckets are linear up to 256 µs. Above, each power of two is divided into 128 buckets (the layout of HdrHistogram).
/// Memory is allocated once.
struct DurationHistogram {
    private static let largest = UInt64(3_600_000_000)
    private var counts = [Int](repeating: 0, count: Self.bucket(of: Self.largest) + 1)
    private(set) var count = 0
    private var maximum: UInt64 = 0

    /// Adds a duration. Longer ones than one hour count as one hour, negative ones as zero.
    mutating func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, rest) = (UInt64(max(0, min(seconds, 3600))), UInt64(max(0, attoseconds)))
        let value = min(whole * 1_000_000 + rest / 1_000_000_000_000, Self.largest)
        counts[Self.bucket(of: value)] += 1
        count += 1
        maximum = max(maximum, value)
    }

    /// The longest duration; zero without durations.
    var longest: Duration { .microseconds(Int64(maximum)) }

    /// Returns the shortest duration that at least this percentage of all durations does not exceed, rounded up to the
    /// end of its bucket; zero without durations.
    func percentile(_ percentage: Double) -> Duration {
        let wanted = max(1, Int((Double(count) * percentage / 100).rounded(.up)))
        var sum = 0
        for (bucket, count) in counts.enumerated() {
            sum += count
            if sum >= wanted { return .microseconds(Int64(min(Self.end(of: bucket), maximum))) }
        }
        return .zero
    }

    private static func bucket(of value: UInt64) -> Int {
        let shift = max(0, 64 - 8 - value.leadingZeroBitCount)
        return shift * 128 + Int(value >> UInt64(shift))
    }

    /// The largest value of a bucket.
    private static func end(of bucket: Int) -> UInt64 {
        let shift = max(0, bucket / 128 - 1)
        return (UInt64(bucket - shift * 128) + 1) << UInt64(shift) - 1
    }
}
