import TestSupport
import Testing
import TexelCodecs

@testable import TexelFrames

/// The slots of a constant rate that frames take.
@Suite struct FrameSlotsTests {
    /// Places frames and returns the index of the frame in each slot.
    private func slots(
        _ times: [Duration], rate: FrameRate, drops: Set<Int> = [], lastDuration: Duration? = nil
    ) -> [Int] {
        var slots = FrameSlots(rate: rate)
        var shown: [Int] = []
        for (index, time) in times.enumerated() {
            guard case .next(let gap) = slots.place(time, followsDrop: drops.contains(index)) else { continue }
            shown += [Int](repeating: index - 1, count: gap) + [index]
        }
        if let last = times.last {
            let rest = slots.fill(until: last + (lastDuration ?? rate.interval))
            shown += [Int](repeating: times.count - 1, count: rest)
        }
        #expect(shown.count == slots.count)
        return shown
    }

    private func slots(milliseconds: [Int], rate: Int) throws -> [Int] {
        slots(milliseconds.map { .milliseconds($0) }, rate: try #require(FrameRate(rate)))
    }

    /// Evenly spaced times take each slot once, whatever they are rounded to.
    @Test(arguments: [(25, 1), (30_000, 1001), (24_000, 1001), (60, 1), (120, 1), (1, 10)], [1, 1000, 1_000_000])
    func evenTimesTakeEverySlotOnce(rate: (Int, Int), unit: Int) throws {
        let rate = try #require(FrameRate(rate.0, per: rate.1))
        let times = (0..<2000).map { index -> Duration in
            let nanoseconds = rate.time(ofFrame: index).attoseconds / 1_000_000_000
            return .nanoseconds(Int64((nanoseconds + Int128(unit / 2)) / Int128(unit)) * Int64(unit))
        }
        #expect(slots(times, rate: rate) == Array(0..<2000))
    }

    /// Times with jitter of up to a quarter of the interval neither repeat a frame nor leave one out.
    @Test(arguments: 0..<8) func jitterNeitherRepeatsNorDropsFrames(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rate = try #require(FrameRate(30))
        let times = (0..<3000).map {
            rate.time(ofFrame: $0) + .microseconds(Int.random(in: -8000...8000, using: &random))
        }
        #expect(slots(times, rate: rate) == Array(0..<3000))
    }

    /// A stream that is faster or slower than its rate leaves out or repeats a frame once in a while, also with jitter.
    @Test(arguments: [(1010, 99), (990, 101)]) func driftRepeatsOrDropsSingleFrames(interval: Int, percent: Int) throws
    {
        var random = SeededGenerator(seed: 5)
        let rate = try #require(FrameRate(10))
        let times = (0..<2000).map {
            Duration.microseconds($0 * interval * 100 + Int.random(in: -10_000...10_000, using: &random))
        }
        let shown = slots(times, rate: rate)
        #expect(abs(shown.count - 20 * interval / 10) <= 1)
        let steps = zip(shown, shown.dropFirst()).map { $1 - $0 }
        #expect(steps.filter { $0 != 1 }.count <= 21)
        #expect(steps.allSatisfy { interval > 1000 ? 0...1 ~= $0 : 1...2 ~= $0 })
    }

    @Test func halfAndDoubleRatesHaveEvenCadence() throws {
        let (fast, slow) = (try #require(FrameRate(60_000, per: 1001)), try #require(FrameRate(30_000, per: 1001)))
        let halved = slots(
            (0..<1000).map { fast.time(ofFrame: $0) }, rate: slow, lastDuration: fast.interval)
        #expect(halved == (0..<500).map { $0 * 2 })
        let doubled = slots(
            (0..<500).map { slow.time(ofFrame: $0) }, rate: fast, lastDuration: slow.interval)
        #expect(doubled == (0..<1000).map { $0 / 2 })
        let film = slots((0..<24).map { .microseconds($0 * 1_000_000 / 24) }, rate: try #require(FrameRate(30)))
        #expect(film.count == 30 && Set(film).count == 24)
    }

    /// Pauses are filled with the frame before them, and the last frame is shown for its duration.
    @Test func pausesRepeatTheFrameBeforeThem() throws {
        #expect(try slots(milliseconds: [0, 100, 400, 500], rate: 10) == [0, 1, 1, 1, 2, 3])
        let rate = try #require(FrameRate(25))
        #expect(slots([.seconds(7)], rate: rate, lastDuration: .milliseconds(200)) == [0, 0, 0, 0, 0])
        // Of a burst, the last frame is shown in the pause after it.
        #expect(try slots(milliseconds: [0, 100, 110, 120, 400], rate: 10) == [0, 1, 3, 3, 4])
        #expect(slots([], rate: rate) == [])
    }

    /// Frames after dropped ones, and times that cannot be followed, take the next slot.
    @Test func jumpsContinueInTheNextSlot() throws {
        let rate = try #require(FrameRate(10))
        let dropped = [0, 100, 900, 1000].map { Duration.milliseconds($0) }
        #expect(slots(dropped, rate: rate, drops: [2]) == [0, 1, 2, 3])
        #expect(try slots(milliseconds: [0, 100, 100, 200], rate: 10) == [0, 1, 2, 3])
        #expect(try slots(milliseconds: [5000, 5100, 0, 100, 300], rate: 10) == [0, 1, 2, 3, 3, 4])
        #expect(
            slots([.zero, .seconds(1_000_000_000)], rate: rate, lastDuration: .seconds(1_000_000_000)).count == 9001)
        let ends = [Duration(secondsComponent: .min, attosecondsComponent: 0), .seconds(Int64.max)]
        #expect(slots(ends, rate: rate, drops: [1]) == [0, 1])
        var slots = FrameSlots(rate: rate)
        for time in [0, 100, 100, 50, 150] { _ = slots.place(.milliseconds(time), followsDrop: false) }
        #expect(slots.jumpCount == 2)
    }
}
