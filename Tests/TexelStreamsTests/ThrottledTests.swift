import Testing
import TexelStreams

@Suite(.timeLimit(.minutes(30))) struct ThrottledTests {
    private let stage = Stage()

    /// Plays a base that never fails with an interval of three ticks.
    private func expect(
        _ base: Marbles, gives expected: Marbles, asks: Marbles? = nil, cancelled: Int? = nil, limit: Int = .max,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        stage.expect(
            stage.source(base).throttled(for: .seconds(3), clock: stage.clock), gives: expected, asks: asks,
            cancelled: cancelled, limit: limit, sourceLocation: sourceLocation)
    }

    @Test func theFirstAtOnceThenTheLatestOfEachInterval() {
        expect("abc-------de-|", gives: "a--c------d--(e|)")
    }

    @Test func aSteadyStream() {
        expect("abcdefghi|", gives: "a--c--f--(i|)")
    }

    @Test func aSlowStreamPassesAsItIs() {
        expect("--a---b----c--|", gives: "--a---b----c--|")
    }

    @Test func theLastValueComesThoughTheBaseEndsFirst() {
        expect("ab|", gives: "a--(b|)")
    }

    @Test func anEndWithNothingPendingComesAtOnce() {
        expect("a|", gives: "a|")
    }

    @Test func theRateHoldsWhereTheConsumerIsSlow() {
        // It requests again at tick 7, gets the newest element, and the next interval starts there.
        expect("abcde---fg------|", gives: "a------e--g-----|", asks: "a------aaa")
    }

    @Test func thePendingValueComesBeforeTheError() {
        let stream = stage.failing("ab#").throttled(for: .seconds(3), clock: stage.clock)
        stage.expect(stream, gives: "a--(b#)")
    }

    @Test func cancellationWhileItWaitsForTheInterval() {
        expect("ab------", gives: "a-|", cancelled: 2)
    }

    @Test func cancellationWhileItWaitsForTheBase() {
        expect("a-------", gives: "a----|", cancelled: 5)
    }

    @Test func aDroppedIteratorEndsTheBase() {
        expect("ab--c-------", gives: "a--b", limit: 2)
    }

    @Test func noIntervalNoThrottle() {
        let base = stage.source("ab-cd---|")
        stage.expect(base.throttled(for: .zero, clock: stage.clock), gives: "ab-cd---|")
    }

    /// A clock that does not advance and whose sleeps fail.
    private struct StoppedClock: Clock {
        var now: ManualClock.Instant { ManualClock.Instant(offset: .zero) }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { throw Broken() }
    }

    @Test func aClockThatCannotWaitEndsTheStream() {
        stage.expect(stage.source("a-b--").throttled(for: .seconds(3), clock: StoppedClock()), gives: "a-|")
    }

    // MARK: Properties

    private struct Throttling: Model {
        var asked = 0
        var now = 0
        var due = 0
        var latest: Mark?
        var ending: Mark?

        mutating func deliver() -> Mark? {
            guard let element = latest else { return ending }
            guard now >= due else { return nil }
            latest = nil
            due = now + 3
            return element
        }
    }

    @Test func doesWhatItsModelDoes() {
        for seed in 0..<3000 {
            let base = TestSource<String, Broken>()
            let clock = ManualClock()
            let stream = TestSequence(source: base).throttled(for: .seconds(3), clock: clock)
            let script = Script(stream, model: Throttling(), seed: seed)
            for moment in 0..<script.random.below(60) {
                switch script.random.below(4) {
                case 0 where script.random.once(in: 20): script.cancel()
                case 0: script.ask()
                case 1 where script.model.ending == nil:
                    let mark = script.random.mark("\(moment)")
                    base.say(mark)
                    if case .element = mark { script.model.latest = mark } else { script.model.ending = mark }
                    script.check()
                default:
                    clock.advance()
                    script.model.now += 1
                    script.check()
                }
            }
            script.close()
            #expect(clock.sleeperCount == 0, "seed \(seed)")
            #expect(base.counts.iterators == 0 && base.counts.violations == 0, "seed \(seed)")
        }
    }

    @Test func theLastComesAndTheRateHoldsInAnySchedule() {
        chaos { chaos in
            let clock = chaos.clock
            let times = Log<ManualClock.Instant>()
            let base = chaos.makeSource()
            let isComplete = chaos.run(
                base.throttled(for: .seconds(3), clock: clock), onElement: { _ in times.note(clock.now) }
            ) {
                if chaos.random.once(in: 3) { clock.advance() } else { chaos.speak(0) }
            }
            let indices = chaos.items.map(\.index)
            #expect(indices == Set(indices).sorted(), "seed \(chaos.seed)")
            for (one, next) in zip(times.all, times.all.dropFirst()) {
                #expect(one.duration(to: next) >= .seconds(3), "seed \(chaos.seed)")
            }
            if isComplete, chaos.sources[0].sent > 0 {
                #expect(indices.last == chaos.sources[0].sent - 1, "seed \(chaos.seed): the last value is lost.")
            }
        }
    }
}
