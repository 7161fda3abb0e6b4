import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

@Suite("Latest of several")
struct LatestSourceTests {
    /// Yields a frame for each time that the test supplies; ends on a stop or when the test ends it.
    private final class HandFedSource: FrameSource {
        let format = FrameFormat(size: PixelSize(width: 2, height: 2), isLive: true)
        private let number: Int
        private let state = Monitor((times: [Duration](), isOver: false, waiters: 0))

        init(_ number: Int) { self.number = number }

        /// Supplies a frame; returns once it was taken and the next is awaited.
        func feed(_ milliseconds: Int) {
            waitForReader()
            state.update { $0.times.append(.milliseconds(milliseconds)) }
            waitForReader()
        }

        private func waitForReader() { state.wait { $0.waiters == 1 && $0.times.isEmpty ? () : nil } }

        func end() { state.update { $0.isOver = true } }

        func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
            state.update { $0.waiters += 1 }
            let time: Duration? = state.wait { state -> Duration?? in
                guard !state.times.isEmpty || state.isOver else { return nil }
                state.waiters -= 1
                return .some(state.times.isEmpty ? nil : state.times.removeFirst())
            }
            guard let time else { return nil }
            return SourceFrame(.pattern(TestPattern(size: format.size, step: number)), time: time, index: 0)
        }
    }

    @Test("The newest of all is given, each once; the others are counted")
    func newestFrameIsGivenOnce() throws {
        let (a, b) = (HandFedSource(1), HandFedSource(2))
        let source = try LatestSource(of: [a, b])
        #expect(source.format.isLive)
        let stop = StopToken()
        // The threads start with the first call, which this frame answers.
        let feeder = FeedingThread { a.feed(10) }
        #expect(try source.nextSeen(stop)?.image == .pattern(1))
        feeder.join()
        a.feed(20)
        b.feed(21)
        a.feed(40)
        b.feed(39)
        // Times do not decrease.
        a.feed(38)
        var seen = try #require(try source.nextSeen(stop))
        #expect(seen.image == .pattern(1) && seen.time == .milliseconds(38) && seen.index == 1)
        b.feed(30)
        seen = try #require(try source.nextSeen(stop))
        #expect(seen.image == .pattern(2) && seen.time == .milliseconds(38) && seen.index == 2)
        #expect(source.countDropped(.superseded) == 4)
        a.end()
        b.feed(50)
        b.end()
        #expect(try source.nextSeen(stop)?.time == .milliseconds(50))
        #expect(try source.nextSeen(stop) == nil)
    }

    @Test("Nothing is lost of sources that are not live, and they are asked only when their frame was taken")
    func storedSourcesLoseNothing() throws {
        let upstream = ScriptedSource(Array(0..<50))
        let source = try LatestSource(of: [upstream])
        #expect(upstream.askedCount == 0)
        #expect(try source.nextSeen()?.index == 0)
        #expect(upstream.askedCount <= 3)
        #expect(try source.seenFrames().count == 49)
        // The drops counted upstream.
        #expect(source.countDropped(.superseded) == 1)
    }

    @Test("A source that fails ends the stream for all")
    func failingSourceEndsTheStream() throws {
        let (endless, failing) = (
            ScriptedSource(Array(0..<100_000), isLive: true), ScriptedSource([], failure: .unsupported("this"))
        )
        let source = try LatestSource(of: [endless, failing])
        #expect(throws: TexelError.unsupported("this")) { _ = try source.seenFrames() }
        #expect(throws: TexelError.self) { try LatestSource(of: []) }
    }

    @Test("A stop ends it, whatever is there; what nobody wants any more is let go")
    func stopEndsTheStream() throws {
        let stop = StopToken()
        weak var reading: ScriptedSource?
        do {
            let upstream = ScriptedSource([0, 1, 2, 3])
            reading = upstream
            let source = try LatestSource(of: [upstream])
            #expect(try source.nextSeen(stop)?.index == 0)
            stop.cancel()
            #expect(try source.nextSeen(stop) == nil)
        }
        // The reader's thread ends by itself and releases the last reference to the source.
        while reading != nil { FeedingThread {}.join() }
    }
}
