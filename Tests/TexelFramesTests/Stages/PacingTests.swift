import Dispatch
import Testing
import TexelCore

import TexelCodecs
import TexelPixels
@testable import TexelFrames

@Suite("Pacing and looping")
struct PacingTests {
    @Test("Each frame is given at its time after the first demand; late ones at once")
    func framesComeAtTheirTimes() throws {
        let clock = JumpingFrameClock(.seconds(100))
        // Reading frame 3 takes so long that it and frame 4 are late.
        let upstream = ScriptedSource([500, 540, 580, 620, 660, 700]) {
            if $0 == 3 { clock.advance(by: .milliseconds(90)) }
        }
        let source = upstream.paced(clock: clock)
        #expect(source.format.isLive)
        var given: [Duration] = []
        while try source.nextSeen() != nil { given.append(clock.now - .seconds(100)) }
        #expect(given == [0, 40, 80, 170, 170, 200].map { .milliseconds($0) })
        #expect(clock.wakeTimes == [100_040, 100_080, 100_200].map { .milliseconds($0) })
    }

    @Test("The clock is waited for, and a stop wakes who waits")
    func framesWaitForTheClock() throws {
        let clock = ManualFrameClock()
        let stop = StopToken()
        let source = ScriptedSource([0, 40, 80]).paced(clock: clock)
        let given = Monitor<[Duration]>([])
        let ended = Monitor(false)
        DispatchQueue.global().async {
            while (try? source.nextSeen(stop)) != nil { given.update { $0.append(clock.now) } }
            ended.update { $0 = true }
        }
        #expect(clock.waitForSleeper() == .milliseconds(40))
        #expect(given.withLock { $0 } == [.zero])
        clock.advance(to: .milliseconds(39))
        #expect(clock.waitForSleeper() == .milliseconds(40))
        clock.advance(to: .milliseconds(41))
        #expect(clock.waitForSleeper() == .milliseconds(80))
        #expect(given.withLock { $0 } == [.zero, .milliseconds(41)])
        stop.cancel()
        ended.wait { $0 ? () : nil }
        #expect(given.withLock { $0.count } == 2)
    }

    @Test("Plays follow each other without a gap, and frames are numbered on")
    func playsFollowWithoutGaps() throws {
        let source = try LoopedSource(count: 3) { ScriptedSource([0, 40], durations: [40, 60]) }
        let frames = try source.seenFrames()
        #expect(frames.map(\.time) == [0, 40, 100, 140, 200, 240].map { .milliseconds($0) })
        #expect(frames.map(\.index) == [0, 1, 2, 3, 4, 5])
        #expect(frames.map(\.image) == [0, 1, 0, 1, 0, 1].map { .pattern($0) })
        #expect(source.countDropped(.queue) == 3)
    }

    @Test("Where no duration is known, the rate counts, then the frame before, then 40 ms")
    func missingDurationsAreInferred() throws {
        let rated = try LoopedSource(count: 2) { ScriptedSource([0, 10], rate: FrameRate(50)) }
        #expect(try rated.seenFrames().map(\.time) == [0, 10, 30, 40].map { .milliseconds($0) })
        let uneven = try LoopedSource(count: 2) { ScriptedSource([0, 10, 25]) }
        #expect(try uneven.seenFrames().map(\.time) == [0, 10, 25, 40, 50, 65].map { .milliseconds($0) })
        let single = try LoopedSource { ScriptedSource([0]) }
        #expect(try single.seenFrames(atMost: 3).map(\.time) == [0, 40, 80].map { .milliseconds($0) })
    }

    @Test("A play without frames is not repeated, and one that is stopped is not begun anew")
    func emptyPlaysAreNotRepeated() throws {
        #expect(try LoopedSource { ScriptedSource([]) }.seenFrames().isEmpty)
        let (stop, made) = (StopToken(), Monitor(0))
        let source = try LoopedSource {
            made.withLock { $0 += 1 }
            return ScriptedSource([0]) { if $0 == 1 { stop.cancel() } }
        }
        #expect(try source.nextSeen(stop) != nil)
        #expect(try source.nextSeen(stop) == nil)
        #expect(made.withLock { $0 } == 1)
    }
}
