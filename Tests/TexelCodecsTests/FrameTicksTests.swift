import Testing

@testable import TexelCodecs

/// Delays of frames in a format's steps of time.
@Suite struct FrameTicksTests {
    private func ticks(_ delays: [FrameDelay], perSecond: Int) -> (ticks: [Int], isExact: Bool) {
        var clock = FrameTicks(ticksPerSecond: perSecond)
        let ticks = delays.map { clock.ticks(for: $0) }
        return (ticks, clock.isExact)
    }

    @Test func wholeTicksAreExact() {
        let delays = [FrameDelay(7, 100), FrameDelay(1, 2), FrameDelay(0, 100), FrameDelay(65_535, 100)]
        let (ticks, isExact) = ticks(delays, perSecond: 100)
        #expect(ticks == [7, 50, 0, 65_535])
        #expect(isExact)
    }

    /// 30 frames a second in steps of 10 ms: 3, 4, 3, 3, 4, 3 …, and a second is a second.
    @Test func roundingErrorsDoNotAccumulate() {
        let (ticks, isExact) = ticks([FrameDelay](repeating: FrameDelay(1, 30), count: 300), perSecond: 100)
        #expect(ticks.reduce(0, +) == 1000)
        #expect(Set(ticks) == [3, 4])
        #expect(!isExact)
    }

    @Test func manyDenominatorsStayNearTheTruth() {
        let delays = (1...2000).map { FrameDelay($0 % 7 + 1, $0 + 1) }
        let seconds = delays.reduce(0) { $0 + Double($1.numerator) / Double($1.denominator) }
        let total = ticks(delays, perSecond: 1000).ticks.reduce(0, +)
        #expect(abs(Double(total) - seconds * 1000) < 1)
    }
}
