import Foundation
import Testing
import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

@testable import TexelFrames

@Suite("Frame pipeline")
struct FramePipelineTests {
    private func options(
        _ policy: QueuePolicy?, workers: Int = 1, queue: Int = 2
    ) -> FramePipelineOptions {
        var options = FramePipelineOptions()
        options.policy = policy
        options.workers = workers
        options.queueCapacity = queue
        return options
    }

    @Test(
        "Frames keep their order, their times and their pixels, whatever the number of workers", arguments: [1, 2, 7])
    func framesKeepTheirOrderAndPixels(workers: Int) throws {
        let source = HandSource()
        let sink = CollectingSink()
        source.give(0..<200)
        source.end()
        let run = try FramePipeline(from: source, into: sink, options: options(.block, workers: workers)).start()
        let statistics = try run.wait()
        #expect(sink.indices == Array(0..<200))
        #expect(sink.deliveries.allSatisfy { $0.time == .milliseconds(100 * $0.index) })
        #expect(sink.deliveries.allSatisfy { $0.firstPixel == 0xFF00_0000 | UInt32($0.index) })
        #expect(sink.deliveries.allSatisfy { $0.lastPixel == $0.firstPixel })
        #expect(sink.isFinished)
        #expect(statistics.framesIn == 200)
        #expect(statistics.framesOut == 200)
        #expect(statistics.framesDropped == 0)
        #expect(source.freeBufferCount == 64)
        #expect(!run.isRunning)
    }

    @Test("A recipe is carried out on every frame")
    func recipeIsAppliedToEveryFrame() throws {
        let source = HandSource(size: PixelSize(width: 40, height: 30))
        let sink = CollectingSink()
        source.give(0..<9)
        source.end()
        let recipe = Recipe().cropping(to: PixelRectangle(x: 0, y: 0, width: 40, height: 20))
            .resizing(width: 20).rotating(by: 90)
        try FramePipeline(from: source, recipe, into: sink, options: options(.block, workers: 2)).start().wait()
        #expect(sink.deliveries.map(\.size) == Array(repeating: PixelSize(width: 10, height: 20), count: 9))
        #expect(sink.deliveries.allSatisfy { $0.firstPixel == 0xFF00_0000 | UInt32($0.index) })
    }

    @Test("An operation that the library does not know runs on frames")
    func customOperationsRunOnFrames() throws {
        let source = HandSource(size: PixelSize(width: 40, height: 30))
        let sink = CollectingSink()
        source.give(0..<9)
        source.end()
        let recipe = Recipe().flipping(.horizontal).appending(.invert)
        try FramePipeline(from: source, recipe, into: sink, options: options(.block, workers: 2)).start().wait()
        #expect(sink.deliveries.count == 9)
        #expect(sink.deliveries.allSatisfy { $0.firstPixel == 0xFFFF_FFFF ^ UInt32($0.index) })
    }

    /// Delivers frames while one waits at the sink's gate and one is in the worker: the queue's policy decides about
    /// the rest.
    private func whatPasses(_ policy: QueuePolicy, queue: Int) throws -> (indices: [Int], dropped: Int) {
        let source = HandSource()
        let sink = CollectingSink(allowance: 0)
        let run = try FramePipeline(from: source, into: sink, options: options(policy, queue: queue)).start()
        source.give([0])
        sink.waitForArrivals(1)
        source.give(1...6)
        source.end()
        // The source is called once more after its last frame; by then all frames were queued or dropped.
        if policy != .block { source.waitUntilAsked(8) }
        sink.allowAll()
        let statistics = try run.wait()
        #expect(statistics.framesIn == 7)
        #expect(statistics.framesOut + statistics.framesDropped == 7)
        return (sink.indices, statistics.dropped[.queue] ?? 0)
    }

    @Test("The policy decides which frames a slow sink misses")
    func policyDecidesWhichFramesAreDropped() throws {
        #expect(try whatPasses(.latest, queue: 3) == ([0, 6], 5))
        #expect(try whatPasses(.dropOldest, queue: 2) == ([0, 5, 6], 4))
        #expect(try whatPasses(.dropNewest, queue: 2) == ([0, 1, 2], 4))
        #expect(try whatPasses(.block, queue: 2) == ([0, 1, 2, 3, 4, 5, 6], 0))
    }

    @Test("Live frames are dropped, others waited for")
    func liveFramesAreDroppedByDefault() {
        func policy(_ liveSource: Bool, _ liveSink: Bool) -> QueuePolicy {
            FramePipeline(from: HandSource(isLive: liveSource), into: CollectingSink(isLive: liveSink)).policy
        }
        #expect(policy(false, false) == .block)
        #expect(policy(true, false) == .latest)
        #expect(policy(false, true) == .latest)
    }

    @Test("A sink that takes nothing stops the source: nothing is read ahead beyond the queue")
    func nothingIsReadBeyondTheQueue() throws {
        let source = HandSource()
        let sink = CollectingSink(allowance: 0)
        source.give(0..<100)
        let run = try FramePipeline(from: source, into: sink, options: options(.block, queue: 2)).start()
        sink.waitForArrivals(1)
        // One frame is at the gate, two are queued, one is in the source.
        source.waitUntilAsked(4)
        sink.allow(1)
        sink.waitForArrivals(2)
        source.waitUntilAsked(5)
        #expect(source.askedCount == 5)
        source.end()
        sink.allowAll()
        try run.wait()
        #expect(sink.indices == Array(0..<100))
    }

    @Test("A paused pipeline asks for nothing")
    func pausedPipelineAsksForNothing() throws {
        let source = HandSource()
        let sink = CollectingSink()
        let run = try FramePipeline(from: source, into: sink, options: options(.latest)).start()
        source.give([0])
        sink.waitForDeliveries(1)
        // The source is already being called for one more frame, which then waits.
        source.waitUntilAsked(2)
        run.pause()
        source.give([1, 2, 3, 4])
        #expect(source.askedCount == 2)
        #expect(sink.indices == [0])
        run.resume()
        source.end()
        try run.wait()
        #expect(sink.indices.first == 0)
        #expect(sink.indices.last == 4)
    }

    @Test("A source's error comes after the frames before it")
    func sourceErrorFollowsEarlierFrames() throws {
        let source = HandSource()
        let sink = CollectingSink()
        source.give(0..<5)
        source.fail(.invalidStream("it broke"))
        let run = try FramePipeline(from: source, into: sink, options: options(.block, workers: 2)).start()
        #expect(throws: TexelError.invalidStream("it broke")) { try run.wait() }
        #expect(sink.indices == [0, 1, 2, 3, 4])
        #expect(!sink.isFinished)
    }

    @Test("A function gets every frame in its order, and what it throws ends the stream")
    func handlerGetsEveryFrameInOrder() throws {
        let seen = Monitor<[Int]>([])
        func source() -> HandSource {
            let source = HandSource()
            source.give(0..<20)
            source.end()
            return source
        }
        let all = HandlerSink { frame in
            let index = frame.index
            seen.withLock { $0.append(index) }
        }
        try FramePipeline(from: source(), into: all, options: options(.block, workers: 3)).start().wait()
        #expect(seen.withLock { $0 } == Array(0..<20))

        let failing = HandlerSink { frame throws(TexelError) in
            if frame.index == 2 { throw .unsupported("the third") }
        }
        let run = try FramePipeline(from: source(), into: failing, options: options(.block)).start()
        #expect(throws: TexelError.unsupported("the third")) { try run.wait() }
    }

    private struct Unplugged: Error, Equatable { var camera: Int }

    /// A source whose first frame is an error of a type unknown to Texel.
    private final class UnpluggedSource: FrameSource {
        let format = FrameFormat(size: PixelSize(width: 3, height: 2))

        func next(_ stop: StopToken) throws -> SourceFrame? { throw Unplugged(camera: 7) }
    }

    @Test("An error of the caller's own type reaches the caller of wait")
    func errorsOfOtherTypesReachTheCaller() throws {
        // Also through stages.
        for source: any FrameSource in [UnpluggedSource(), UnpluggedSource().prefix(3)] {
            let run = try FramePipeline(from: source, into: NullSink(), options: options(.block)).start()
            let error = #expect(throws: TexelError.self) { try run.wait() }
            #expect(error == .source(Unplugged(camera: 7)))
            #expect(error?.description == "the source failed: Unplugged(camera: 7)")
            #expect((error as (any Error)?)?.localizedDescription == error?.description)
        }

        let source = HandSource()
        source.give(0..<2)
        source.end()
        let sink = HandlerSink { _ in throw Unplugged(camera: 8) }
        let run = try FramePipeline(from: source, into: sink, options: options(.block)).start()
        let error = #expect(throws: TexelError.self) { try run.wait() }
        #expect(error == .sink(Unplugged(camera: 8)))
        #expect(error?.description == "the sink failed: Unplugged(camera: 8)")
    }

    @Test("Of a source's error and an earlier frame's the earlier is told")
    func errorsInOrder() throws {
        let source = HandSource()
        let sink = CollectingSink(allowance: 1)
        sink.fail(at: 1, with: .cannotWrite(.noSpace))
        source.give(0..<2)
        source.fail(.invalidStream("it broke"))
        let run = try FramePipeline(from: source, into: sink, options: options(.block)).start()
        source.waitUntilAsked(3)
        sink.allowAll()
        #expect(throws: TexelError.cannotWrite(.noSpace)) { try run.wait() }
        #expect(sink.indices == [0])
    }

    @Test("After a sink's error nothing more is written", arguments: [1, 3])
    func nothingIsWrittenAfterASinkError(workers: Int) throws {
        let source = HandSource()
        let sink = CollectingSink()
        sink.fail(at: 3, with: .cannotWrite(.noSpace))
        source.give(0..<50)
        source.end()
        let run = try FramePipeline(from: source, into: sink, options: options(.block, workers: workers)).start()
        #expect(throws: TexelError.cannotWrite(.noSpace)) { try run.wait() }
        #expect(sink.indices == [0, 1, 2])
        #expect(!sink.isFinished)
    }

    /// A sink that cannot prepare frame 5 nor any later one, and fails for the later ones first.
    private final class UnpreparedSink: FrameSink {
        let delivered = Monitor<[Int]>([])
        private let laterHasFailed = Monitor(false)

        func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(sink: self) }

        private final class Writer: FrameWriter {
            let sink: UnpreparedSink
            init(sink: UnpreparedSink) { self.sink = sink }

            func prepare(_ frame: borrowing Frame) throws(TexelError) {
                let index = frame.index
                if index < 5 { return }
                if index == 5 {
                    sink.laterHasFailed.wait { $0 ? () : nil }
                } else {
                    sink.laterHasFailed.update { $0 = true }
                }
                throw .unsupported("frame \(index)")
            }

            func write(_ frame: borrowing Frame) throws(TexelError) {
                let index = frame.index
                sink.delivered.withLock { $0.append(index) }
            }
        }
    }

    @Test("Of several frames that cannot be prepared the first ends the run, behind all that could")
    func firstOfSeveralErrorsEndsTheRun() throws {
        let source = HandSource()
        let sink = UnpreparedSink()
        source.give(0..<20)
        source.end()
        let run = try FramePipeline(from: source, into: sink, options: options(.block, workers: 3)).start()
        #expect(throws: TexelError.unsupported("frame 5")) { try run.wait() }
        #expect(sink.delivered.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test("Stopping ends a run that waits for its source, or for its sink")
    func stopEndsAWaitingRun() throws {
        let source = HandSource()
        let sink = CollectingSink()
        let run = try FramePipeline(from: source, into: sink, options: options(.block)).start()
        source.give([0])
        sink.waitForDeliveries(1)
        run.stop()
        source.wake()
        try run.wait()
        #expect(sink.indices == [0])
        #expect(sink.isFinished)
        #expect(source.freeBufferCount == 64)

        let held = CollectingSink(allowance: 0)
        let busy = HandSource()
        busy.give(0..<10)
        let second = try FramePipeline(from: busy, into: held, options: options(.block)).start()
        held.waitForArrivals(1)
        second.stop()
        held.allowAll()
        try second.wait()
        #expect(held.indices == [0])
    }

    @Test("Frames that show what the one before showed are dropped")
    func duplicateFramesAreDropped() throws {
        let source = HandSource()
        let sink = CollectingSink()
        source.give([1, 1, 1, 2, 2, 1, 3, 3])
        source.end()
        var options = options(.block, workers: 3)
        options.dropsDuplicates = true
        let statistics = try FramePipeline(from: source, into: sink, options: options).start().wait()
        #expect(sink.indices == [1, 2, 1, 3])
        #expect(statistics.dropped[.duplicate] == 4)
    }
}
