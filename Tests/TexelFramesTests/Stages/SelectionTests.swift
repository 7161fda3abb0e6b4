import Testing
import TexelCodecs

import TexelCore
@testable import TexelFrames

@Suite("Sampling, throttling, prefixes")
struct SelectionTests {
    private func milliseconds(_ frames: [SeenFrame]) -> [Int] {
        frames.map { Int($0.time.attoseconds / 1_000_000_000_000_000) }
    }

    @Test("Every n-th frame passes, and is seen n times as long")
    func everyNthFramePasses() throws {
        let rate = try #require(FrameRate(50))
        let upstream = ScriptedSource(
            Array(stride(from: 0, to: 200, by: 20)), durations: .init(repeating: 20, count: 10), rate: rate)
        let source = upstream.sampled(every: 4)
        #expect(source.format.rate == FrameRate(25, per: 2))
        let frames = try source.seenFrames()
        #expect(frames.map(\.index) == [0, 4, 8])
        #expect(milliseconds(frames) == [0, 80, 160])
        #expect(frames.allSatisfy { $0.duration == .milliseconds(80) })
        // One drop counted upstream; frames 1 to 3, 5 to 7 and 9.
        #expect(source.countDropped(.sampled) == 8)
        #expect(source.countDropped(.throttled) == 1)
    }

    @Test("A step of one or less passes all on", arguments: [1, 0, -5])
    func smallStepsPassAllFrames(step: Int) throws {
        let source = ScriptedSource([0, 1, 2]).sampled(every: step)
        #expect(try source.seenFrames().map(\.index) == [0, 1, 2])
    }

    @Test("Nothing is asked upstream before somebody asks, and no more than needed")
    func nothingIsAskedInAdvance() throws {
        let upstream = ScriptedSource(Array(0..<100))
        let source = upstream.sampled(every: 3).prefix(2)
        #expect(upstream.askedCount == 0)
        #expect(try source.nextSeen()?.index == 0)
        #expect(upstream.askedCount == 1)
        #expect(try source.nextSeen()?.index == 3)
        #expect(upstream.askedCount == 4)
        #expect(try source.nextSeen() == nil)
        #expect(upstream.askedCount == 4)
        #expect(source.countDropped(.sampled) == 3)
    }

    @Test(
        "A throttle passes the first frame of each interval, and the last of all",
        arguments: [
            // Constant rates: 25 to 10, 50 to 25; a target above the stream's rate; one frame; none.
            (10, Array(stride(from: 0, through: 400, by: 40)), [0, 80, 200, 280, 400]),
            (25, [0, 20, 40, 60, 80], [0, 40, 80]),
            (100, [0, 40, 80], [0, 40, 80]),
            (10, [7], [7]),
            (10, [], []),
            // Times rounded to milliseconds by the file: 60 to 30.
            (30, [0, 17, 33, 50, 67, 83, 100, 117, 133], [0, 33, 67, 100, 133]),
            // The last frame is returned although it exceeds the rate.
            (10, [0, 10, 20, 30], [0, 30]),
            // A pause; decreasing times.
            (10, [1000, 1010, 5000, 5090, 5100, 4000, 5150, 5180], [1000, 5000, 5090, 5180]),
        ])
    func throttlePassesOneFramePerInterval(rate: Int, times: [Int], expected: [Int]) throws {
        let source = ScriptedSource(times).throttled(to: try #require(FrameRate(rate)))
        let frames = try source.seenFrames()
        #expect(milliseconds(frames) == expected)
        #expect(source.countDropped(.throttled) == times.count - expected.count + 1)
        #expect(frames.allSatisfy { $0.duration == nil })
        #expect(try source.nextSeen() == nil)
    }

    @Test("A throttle states the smaller of the two rates")
    func throttleStatesTheSmallerRate() throws {
        let (slow, fast) = (try #require(FrameRate(30000, per: 1001)), try #require(FrameRate(30)))
        #expect(ScriptedSource([], rate: slow).throttled(to: fast).format.rate == slow)
        #expect(ScriptedSource([], rate: fast).throttled(to: slow).format.rate == slow)
        #expect(ScriptedSource([]).throttled(to: slow).format.rate == nil)
        let (slowest, fastest) = (
            try #require(FrameRate(1, per: 4_294_967_295)), try #require(FrameRate(4_294_967_295))
        )
        #expect(ScriptedSource([], rate: fastest).throttled(to: slowest).format.rate == slowest)
        #expect(ScriptedSource([], rate: slowest).throttled(to: fastest).format.rate == slowest)
    }

    @Test("What was held back is not given once the stream is stopped")
    func stoppedThrottleGivesNothingMore() throws {
        let stop = StopToken()
        let upstream = ScriptedSource([0, 1, 2]) { if $0 == 2 { stop.cancel() } }
        let source = upstream.throttled(to: .standard)
        #expect(try source.nextSeen(stop)?.index == 0)
        #expect(try source.nextSeen(stop) == nil)
    }

    @Test("Errors come through every stage")
    func errorsPassEveryStage() throws {
        @Sendable func failing() -> ScriptedSource { ScriptedSource([0], failure: .unsupported("this")) }
        let sources: [any FrameSource] = [
            failing().sampled(every: 2), failing().throttled(to: .standard),
            failing().paced(clock: JumpingFrameClock()), failing().prefix(5),
            try LoopedSource { failing() }, CrossfadeSource(failing(), failing(), at: .zero, duration: .seconds(1)),
            try LatestSource(of: [failing()]),
        ]
        for source in sources {
            #expect(throws: TexelError.unsupported("this")) { _ = try source.seenFrames() }
        }
    }
}
