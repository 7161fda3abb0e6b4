import TestSupport
import Testing

@testable import TexelFrames

@Suite struct DurationHistogramTests {
    @Test func emptyIsZero() {
        let histogram = DurationHistogram()
        #expect(histogram.count == 0 && histogram.longest == .zero && histogram.percentile(50) == .zero)
    }

    /// Percentiles are those of the sorted durations, at most 1/128 above.
    @Test(arguments: [1, 2, 99, 5000]) func percentilesAreAtMost128thTooLong(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        var histogram = DurationHistogram()
        // Of every magnitude up to an hour.
        let values = (0..<count).map { _ in
            Int64.random(in: 0..<(1 << Int64.random(in: 1...31, using: &generator)), using: &generator)
        }.sorted()
        for value in values { histogram.record(.microseconds(value)) }
        #expect(histogram.count == count && histogram.longest == .microseconds(values[count - 1]))
        for percentage in [1.0, 50, 95, 99, 100] {
            let rank = max(1, Int((Double(count) * percentage / 100).rounded(.up)))
            let expected = values[rank - 1]
            let found = histogram.percentile(percentage)
            #expect(found >= .microseconds(expected), "\(percentage)")
            #expect(found <= .microseconds(expected + expected / 128), "\(percentage)")
        }
    }

    @Test func durationsAreClampedToZeroAndOneHour() {
        var histogram = DurationHistogram()
        histogram.record(.seconds(-5))
        histogram.record(.nanoseconds(999))
        #expect(histogram.longest == .zero && histogram.percentile(100) == .zero)
        histogram.record(.seconds(Int64.max))
        #expect(histogram.longest == .seconds(3600) && histogram.percentile(100) == .seconds(3600))
    }
}
