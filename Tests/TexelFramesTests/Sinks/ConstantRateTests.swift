import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelPixels

@testable import TexelFrames

/// Outputs that store no times, from streams whose frames are not evenly spaced.
@Suite struct ConstantRateTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var file: FrameDestination { .file(FilePath(directory("out")), replaces: true) }

    /// Plays frames of these times, and returns the index of each written one, with the header of a Y4M of them.
    private func played(
        _ milliseconds: [Int], durations: [Int]? = nil, rate: FrameRate?, workers: Int = 1,
        options change: (inout FramePipelineOptions) -> Void = { _ in }
    ) throws -> (header: String, frames: [Int], conversion: RateConversion?) {
        var options = FramePipelineOptions()
        options.workers = workers
        change(&options)
        let collecting = CollectingSink()
        let source = ScriptedSource(milliseconds, durations: durations, rate: rate)
        let run = try FramePipeline(from: source, into: EvenSink(collecting), options: options).start()
        try run.wait()
        let same = ScriptedSource(milliseconds, durations: durations, rate: rate)
        let file = try Y4MSink(file, sampling: .none)
        try FramePipeline(from: same, into: file, options: options).start().wait()
        let bytes = try directory.bytes("out")
        let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        // A frame is the line FRAME and four samples.
        #expect(bytes.count - end - 1 == collecting.indices.count * 10)
        return (String(decoding: bytes[..<end], as: UTF8.self), collecting.indices, run.rateConversion)
    }

    @Test(arguments: [1, 3]) func pausesAreFilled(workers: Int) throws {
        let (header, frames, conversion) = try played([0, 40, 160, 200], rate: FrameRate(25), workers: workers)
        #expect(header.contains(" F25:1 "))
        #expect(frames == [0, 1, 1, 1, 2, 3])
        let expected = try #require(conversion)
        #expect(expected.framesRepeated == 2 && expected.framesOmitted == 0 && expected.jumps == 0)
        #expect(
            "\(expected)" == "frames are not evenly spaced, and the output stores no times: at 25 frames per second, "
                + "2 repetitions were added")
    }

    /// Evenly spaced frames are written once, and nothing is told.
    @Test func evenFramesAreWrittenOnce() throws {
        let (_, frames, conversion) = try played([0, 33, 67, 100, 133, 167], rate: FrameRate(30), workers: 2)
        #expect(frames == Array(0..<6) && conversion == nil)
    }

    @Test func lastFrameIsShownForItsDuration() throws {
        let (_, frames, _) = try played([0, 100], durations: [100, 300], rate: FrameRate(10))
        #expect(frames == [0, 1, 1, 1])
    }

    @Test func requestedRateRepeatsOrOmitsFrames() throws {
        let (header, frames, conversion) = try played([0, 40, 80, 120], rate: FrameRate(25)) {
            $0.outputRate = FrameRate(50)
        }
        #expect(header.contains(" F50:1 "))
        #expect(frames == [0, 0, 1, 1, 2, 2, 3, 3] && conversion?.framesRepeated == 4)
        let halved = try played([0, 20, 40, 60, 80, 100], rate: FrameRate(50)) { $0.outputRate = FrameRate(25) }
        #expect(halved.frames == [0, 2, 4] && halved.conversion?.framesOmitted == 3)
        #expect(halved.conversion?.description.hasSuffix("at 25 frames per second, 3 frames were left out") == true)
    }

    /// Without a known rate, and if duplicates are dropped, every frame is written once.
    @Test func unknownRateWritesEveryFrameOnce() throws {
        #expect(try played([0, 1000, 1001], rate: nil).frames == [0, 1, 2])
        let source = HandSource()
        source.give([1, 1, 2, 6])
        source.end()
        let collecting = CollectingSink()
        var options = FramePipelineOptions()
        options.dropsDuplicates = true
        try FramePipeline(from: source, into: EvenSink(collecting), options: options).start().wait()
        #expect(collecting.indices == [1, 2, 6])
        // A rate that cannot be right would fill disks.
        #expect(try played([0, 1000], rate: FrameRate(4_000_000_000)).frames == [0, 1])
    }

    /// Frames are repeated in Motion JPEG and raw samples too, but not where each frame is a file or is only passed on.
    @Test func kindsOfOutput() throws {
        let raw = try RawSink(file, format: .bgra)
        try FramePipeline(from: ScriptedSource([0, 300], rate: FrameRate(10)), into: raw).start().wait()
        #expect(try directory.bytes("out").count == 4 * 16)
        let jpeg = try MJPEGSink(file)
        try FramePipeline(from: ScriptedSource([0, 300], rate: FrameRate(10)), into: jpeg).start().wait()
        #expect(try JPEGStreamSource(.file(FilePath(directory("out")))).frames().frames.count == 4)
        let passed = CollectingSink()
        let run = try FramePipeline(from: ScriptedSource([0, 300], rate: FrameRate(10)), into: passed).start()
        try run.wait()
        #expect(passed.indices == [0, 1] && run.rateConversion == nil)
    }

    /// A frame that cannot be decoded is replaced by the one before it, so that later frames keep their times.
    @Test func damagedFramesAreReplaced() throws {
        let image = try PixelBuffer.random(width: 4, height: 4).encoded(as: .png())
        for name in ["1.png", "2.png", "3.png"] { try directory.add(name, image) }
        try directory.add("2.png", Array(image.dropLast(40)))
        var options = FramePipelineOptions()
        options.dropsDamaged = true
        options.workers = 1
        let sink = try RawSink(file, format: .bgra)
        let source = try ImageSequenceSource(directory("%d.png"))
        let run = try FramePipeline(from: source, into: sink, options: options).start()
        let statistics = try run.wait()
        #expect(statistics.dropped[.damaged] == 1 && run.rateConversion?.framesRepeated == 1)
        #expect(try directory.bytes("out").count == 3 * 64)
    }

    /// Frames that the queue drops leave no gaps: they are dropped where the output is too slow for all frames.
    @Test(.onThreads, arguments: [QueuePolicy.latest, .dropOldest, .dropNewest])
    func framesDroppedByTheQueue(policy: QueuePolicy) throws {
        let source = HandSource()
        let collecting = CollectingSink(allowance: 0)
        let sink = EvenSink(collecting)
        var options = FramePipelineOptions()
        (options.policy, options.workers, options.queueCapacity) = (policy, 1, 1)
        let run = try FramePipeline(from: source, into: sink, options: options).start()
        source.give([0])
        collecting.waitForArrivals(1)
        source.give(1..<9)
        source.waitUntilAsked(10)
        collecting.allowAll()
        collecting.waitForDeliveries(2)
        source.give([9])
        collecting.waitForDeliveries(3)
        source.give([12])
        source.end()
        let statistics = try run.wait()
        // The pause after frame 9 is the stream's own.
        let kept = policy == .dropNewest ? 1 : 8
        #expect(collecting.indices == [0, kept, 9, 9, 9, 12])
        #expect(statistics.framesDropped == 7)
        #expect(run.rateConversion?.framesRepeated == 2)
    }

    /// The rate at which no frame of an animation is left out, if it is not too high.
    @Test(arguments: [
        ([(1, 10), (3, 10)], FrameRate(10)), ([(5, 100), (30, 100), (0, 1), (70, 100)], FrameRate(20)),
        ([(1, 10), (1, 10)], FrameRate(10)), ([(3, 100), (4, 100)], FrameRate(200, per: 7)),
        ([(1, 30), (2, 30), (1, 30)], FrameRate(30)), ([(1, 65_521), (1, 65_519), (1, 65_497)], FrameRate(10)),
    ])
    func ratesOfAnimations(delays: [(Int, Int)], rate: FrameRate?) throws {
        let image = try PixelBuffer.random(width: 3, height: 3)
        let frames = delays.map { AnimatedPNG.Frame(image: image, delay: $0) }
        let bytes = InputBytes(try AnimatedPNG(canvas: image.size, frames: frames).bytes())
        #expect(try AnimationSource(bytes).format.outputRate == rate)
    }

    /// An animation becomes a video that lasts as long.
    @Test func animationsBecomeVideosOfTheSameDuration() throws {
        let images = try (0..<3).map { try PixelBuffer.random(width: 4, height: 4, seed: 1 + $0) }
        let frames = zip(images, [(1, 10), (4, 10), (2, 10)]).map { AnimatedPNG.Frame(image: $0, delay: $1) }
        let bytes = InputBytes(try AnimatedPNG(canvas: images[0].size, frames: frames).bytes())
        let sink = try RawSink(file, format: .bgra)
        try FramePipeline(from: AnimationSource(bytes), into: sink).start().wait()
        let expected = [0, 1, 1, 1, 1, 2, 2].flatMap { images[$0].bytes(in: .bgra) }
        #expect(try directory.bytes("out") == expected)
    }

    /// The rates of stages follow those of their source.
    @Test func stagesKeepTheRateOfTheirSource() throws {
        let source = ScriptedSource([], rate: FrameRate(24), baseRate: FrameRate(50))
        #expect(source.format.outputRate == FrameRate(50))
        #expect(source.throttled(to: .standard).format.outputRate == .standard)
        #expect(try LatestSource(of: [source]).format.outputRate == FrameRate(50))
        #expect(source.sampled(every: 2).format.outputRate == FrameRate(50))
        #expect(source.prefix(1).format.outputRate == FrameRate(50))
        #expect(ScriptedSource([], rate: FrameRate(24), baseRate: FrameRate(1000)).format.outputRate == FrameRate(24))
        #expect(ScriptedSource([], rate: FrameRate(100), baseRate: FrameRate(100)).format.outputRate == FrameRate(100))
        #expect(ScriptedSource([], baseRate: FrameRate(30)).format.outputRate == FrameRate(30))
    }
}

/// Passes frames on, at a constant rate.
private final class EvenSink: FrameSink {
    private let sink: CollectingSink

    init(_ sink: CollectingSink) { self.sink = sink }

    var needsConstantRate: Bool { true }

    func makeWriter(for stream: FrameStream) -> any FrameWriter { sink.makeWriter(for: stream) }
}
