import Foundation
import Synchronization
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Sources that break the rules, timeouts, and extreme numbers: each request ends, and others are not affected.
@Suite(.timeLimit(.minutes(30))) struct PipelineFaultTests {
    private let workers = WorkerPool(width: 2, byteBudget: 64 << 20)
    private let bytes: [UInt8]
    private typealias Feed = AsyncStream<ArraySlice<UInt8>>.Continuation

    init() throws {
        bytes = try PixelBuffer.smooth(PixelSize(width: 160, height: 120)).encoded(as: .png(PNGOptions(effort: .fast)))
    }

    private func pipeline(_ change: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
        ImagePipeline.remembersNothing(workers, change)
    }

    /// A stream that stalls after its first bytes.
    private func stalled(_ count: Int) -> (source: StreamSource, feed: Feed) {
        let (chunks, feed) = AsyncStream.makeStream(of: ArraySlice<UInt8>.self)
        feed.yield(bytes[..<count])
        return (StreamSource(chunks), feed)
    }

    private func wholeStream() -> StreamSource {
        let (stream, feed) = stalled(bytes.count)
        feed.finish()
        return stream
    }

    private static let timedOut = TexelError.stopped(.timedOut)
    private static let cancelled = TexelError.stopped(.cancelled)

    // MARK: Time

    /// The timeout applies before the request's turn has come, and if others request the same image.
    @Test func timeRunsOutWhileARequestWaits() async throws {
        let pipeline = pipeline()
        let source = CountedSource(name: "a", bytes: bytes)
        let gate = Gate()
        await workers.occupy(until: gate)
        var hurried = ImageRequest(source, recipe: Recipe().resizing(width: 40))
        hurried.timeout = .zero
        let late = pipeline.imageTask(for: hurried)
        let lateFile = pipeline.encodedImageTask(for: hurried)
        await until { pipeline.waitingForDecoder == 2 }
        let patient = pipeline.imageTask(for: ImageRequest(source, recipe: Recipe().resizing(width: 40)))
        await until { pipeline.waitingForDecoder == 3 }
        gate.open()
        await #expect(throws: Self.timedOut) { try await late.value }
        await #expect(throws: Self.timedOut) { try await lateFile.value }
        #expect(try await patient.value.width == 40)
        var alone = ImageRequest(source)
        alone.timeout = .zero
        await #expect(throws: Self.timedOut) { try await pipeline.image(for: alone) }
        await until { pipeline.isIdle }
    }

    /// Of three runs that share rows, some stop meanwhile. Each receives its result once.
    @Test(arguments: [[false, true, false], [true, true, true]]) func viewersThatStopAreTold(stops: [Bool]) throws {
        let source = try CodecRegistry.shared.open(
            InputBytes(
                try PixelBuffer.smooth(PixelSize(width: 64, height: 600)).encoded(as: .png(PNGOptions(effort: .fast)))))
        let audience = DecodeGroup([])
        let tokens = stops.map { _ in StopToken() }
        let outcomes = Mutex<[Int: [Result<DecodedImage, TexelError>]]>([:])
        for index in stops.indices {
            let counter = RowCounter(
                { _ in for (token, stops) in zip(tokens, stops) where stops { token.cancel() } }, every: .zero)
            let plan = try Planner.plan(Recipe().resizing(width: 10 + index), for: source.info, to: .pixels)
            let route = try #require(plan.planned.pixelRoute)
            let viewer = DecodeGroup.Viewer(route, stop: tokens[index], rowCounter: counter) { image in
                outcomes.withLock { $0[index, default: []].append(image) }
            }
            #expect(audience.admit([viewer], byteLimit: .max))
        }
        audience.decode(RouteContext(source))
        let all = outcomes.withLock { $0 }
        for (index, stops) in stops.enumerated() {
            #expect(all[index]?.count == 1)
            switch try #require(all[index]?.first) {
            case .success: #expect(!stops)
            case .failure(let error): #expect(stops && error == Self.cancelled)
            }
        }
    }

    // MARK: Streams

    /// Two decoders of one stream, but only one thread that may wait for it: both receive the error.
    @Test func aStreamThatFailsIsToldToThoseWhoWaitForItsEnd() async throws {
        struct Broken: Error {}
        let pipeline = pipeline { $0.arrivals = 1 }
        let (chunks, feed) = AsyncThrowingStream.makeStream(of: ArraySlice<UInt8>.self)
        feed.yield(bytes[..<(bytes.count / 2)])
        var request = ImageRequest(StreamSource(chunks))
        let first = pipeline.imageTask(for: request)
        await until { pipeline.statistics.decodes == 1 }
        request.policy.strictness = .error
        let second = pipeline.imageTask(for: request)
        await until { pipeline.waitingForDecoder == 1 }
        feed.finish(throwing: Broken())
        for task in [first, second] {
            await #expect(throws: TexelError.source(Broken())) { try await task.value }
        }
        await until { pipeline.isIdle }
    }

    /// A request with previews receives the error of the stream.
    @Test func aStreamThatFailsAmongPreviews() async throws {
        struct Broken: Error {}
        let pipeline = pipeline()
        let image = try PixelBuffer.noise(PixelSize(width: 200, height: 200), alphaMode: .opaque)
        var options = JPEGOptions()
        options.isProgressive = true
        let bytes = try image.encoded(as: .jpeg(options))
        let (chunks, feed) = AsyncThrowingStream.makeStream(of: ArraySlice<UInt8>.self)
        feed.yield(bytes[..<(bytes.count / 2)])
        var request = ImageRequest(StreamSource(chunks))
        request.deliversPreviews = true
        let task = pipeline.imageTask(for: request)
        let events = task.events
        for await event in events {
            if case .preview = event { break }
        }
        feed.finish(throwing: Broken())
        await #expect(throws: TexelError.source(Broken())) { try await task.value }
        await until { pipeline.isIdle }
    }

    /// Cancelled requests release their places, even those without a thread.
    @Test func stalledStreamsLeaveRoomForOthers() async throws {
        let pipeline = pipeline { ($0.arrivals, $0.transfers) = (1, 3) }
        for count in [0, 20, bytes.count / 2] {
            let streams = (0..<6).map { _ in stalled(count) }
            let tasks = streams.map { pipeline.imageTask(for: ImageRequest($0.source)) }
            for _ in 0..<50 { await Task.yield() }
            for task in tasks { task.cancel() }
            #expect(try await pipeline.image(for: ImageRequest(wholeStream())).width == 160)
            withExtendedLifetime(streams) {}
        }
        await until { pipeline.isIdle }
    }

    /// Half of 200 streams stall; after these are cancelled, the others complete with the few threads and transfers.
    @Test func stalledStreamsDoNotBlockOthers() async throws {
        let pipeline = pipeline { $0.transfers = 200 }
        let stalls = (0..<100).map { stalled($0 % 2 == 0 ? 0 : bytes.count / 2) }
        let given = stalls.map { pipeline.imageTask(for: ImageRequest($0.source)) }
        let whole = (0..<100).map { _ in pipeline.imageTask(for: ImageRequest(wholeStream())) }
        for task in whole { #expect(try await task.value.width == 160) }
        for task in given { task.cancel() }
        for task in given { await #expect(throws: Self.cancelled) { try await task.value } }
        await until { pipeline.isIdle }
    }

    @Test func countsThatAreLies() async throws {
        let pipeline = pipeline()
        for count in [0, 1, bytes.count - 1, -1, .min, .max] {
            await #expect(throws: TexelError.self) {
                let (stream, feed) = AsyncStream.makeStream(of: ArraySlice<UInt8>.self)
                feed.yield(bytes[...])
                feed.finish()
                _ = try await pipeline.image(for: ImageRequest(StreamSource(stream, count: count)))
            }
        }
        // For local bytes, the count only affects the memory budget.
        let tasks = [Int.max, .min, -1, 0, .max, 1].map { count in
            pipeline.imageTask(
                for: ImageRequest(StrangeSource(name: "\(count, default: "none") \(UUID())", count: count) { bytes }))
        }
        for task in tasks { #expect(try await task.value.width == 160) }
        await until { pipeline.isIdle }
    }

    @Test(arguments: [Int.max, 0, -1, .min]) func limitsThatMakeNoSense(limit: Int) async throws {
        let pipeline = pipeline()
        for source in [wholeStream() as any ByteSource, CountedSource(name: "a", bytes: bytes)] {
            var request = ImageRequest(source)
            request.policy.limits.inputBytes = limit
            request.policy.limits.pixels = limit
            if limit == .max {
                #expect(try await pipeline.image(for: request).width == 160)
            } else {
                await #expect(throws: TexelError.self) { try await pipeline.image(for: request) }
            }
        }
        await until { pipeline.isIdle }
    }

    /// Delivering bytes that were not announced, after the end, or without an end.
    @Test func deliveriesThatBreakTheRules() async throws {
        let pipeline = pipeline()
        let bytes = bytes
        @Sendable func append(_ bytes: [UInt8], to arriving: ArrivingBytes) throws(TexelError) {
            let outcome = bytes.withUnsafeBytes { raw in
                Result { () throws(TexelError) in try arriving.append(raw) }
            }
            if case .failure(let error) = outcome { throw error }
        }
        let kept = Mutex<ArrivingBytes?>(nil)
        let late = StrangeSource(
            name: "late",
            deliver: { arriving async throws(TexelError) in
                kept.withLock { $0 = arriving }
                try append(bytes, to: arriving)
                arriving.finish()
                try? append(bytes, to: arriving)
            })
        #expect(try await pipeline.image(for: ImageRequest(late)).width == 160)
        let arriving = try #require(kept.withLock { $0 })
        try? append(bytes, to: arriving)
        #expect(arriving.count == bytes.count)

        // Never ends, even if it is cancelled.
        let gate = Gate()
        let deaf = StrangeSource(name: "deaf", deliver: { _ async throws(TexelError) in await gate.wait() })
        let task = pipeline.imageTask(for: ImageRequest(deaf))
        await until { pipeline.runningCount == 1 }
        task.cancel()
        await #expect(throws: Self.cancelled) { try await task.value }
        await until { pipeline.isIdle }
        gate.open()
    }

    @Test func sourcesThatNeverOpen() async throws {
        let pipeline = pipeline()
        let gate = Gate()
        let sources = (0..<20).map { CountedSource(name: "\($0)", bytes: bytes, gate: gate) }
        let tasks = sources.map { pipeline.imageTask(for: ImageRequest($0)) }
        await until { sources.allSatisfy { $0.opened.value == 1 } }
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: Self.cancelled) { try await task.value } }
        #expect(pipeline.isIdle)
        #expect(try await pipeline.image(for: ImageRequest(CountedSource(name: "other", bytes: bytes))).width == 160)
        gate.open()
    }

    // MARK: Numbers

    @Test(arguments: [0, 1, -1, .min], [0, 1, -1, .max])
    func smallestPipelineCompletesAllRequests(width: Int, budget: Int) async throws {
        let pipeline = pipeline {
            $0.workers = WorkerPool(width: width == .min ? 0 : width, byteBudget: budget)
            ($0.readAhead, $0.transfers, $0.arrivals) = (width, width, width)
        }
        let requests = (0..<10).map { index in
            ImageRequest(
                index % 2 == 0 ? CountedSource(name: "\(index)", bytes: bytes) : wholeStream() as any ByteSource,
                recipe: Recipe().resizing(width: 10 + index))
        }
        let tasks = requests.map { pipeline.imageTask(for: $0) }
        for (index, task) in tasks.enumerated() { #expect(try await task.value.width == 10 + index) }
        await until { pipeline.isIdle }
    }

    // MARK: Requests inside requests

    @Test func aSourceThatAsksThePipeline() async throws {
        let pipeline = pipeline { ($0.readAhead, $0.workers) = (1, WorkerPool(width: 1, byteBudget: 1)) }
        let inner = CountedSource(name: "inner", bytes: bytes)
        let outer = StrangeSource(name: "outer") { () async throws(TexelError) in
            try await pipeline.encodedImage(for: ImageRequest(inner, recipe: Recipe().resizing(width: 50))).bytes
        }
        let tasks = (0..<10).map { index in
            pipeline.imageTask(for: ImageRequest(outer, recipe: Recipe().resizing(width: 10 + index)))
        }
        for (index, task) in tasks.enumerated() { #expect(try await task.value.width == 10 + index) }
        var widths: [Int] = []
        for await event in tasks[0].events {
            guard case .finished(.success(let image)) = event else { continue }
            widths.append(image.width)
            widths.append(try await pipeline.image(for: ImageRequest(inner)).width)
        }
        #expect(widths == [10, 160])
    }

    // MARK: The end

    /// The work continues without its pipeline, whose memory is freed afterwards.
    @Test func thePipelineIsLetGoOf() async throws {
        let gate = Gate()
        weak var seen: ImagePipeline?
        let task: ImageTask<PixelBuffer>
        do {
            let pipeline = pipeline()
            seen = pipeline
            task = pipeline.imageTask(for: ImageRequest(CountedSource(name: "a", bytes: bytes, gate: gate)))
        }
        gate.open()
        #expect(try await task.value.width == 160)
        await until { seen == nil }
    }
}

extension WorkerPool {
    /// Keeps all workers busy until the gate opens.
    fileprivate func occupy(until gate: Gate) async {
        let (running, isOpen) = (Counter(), Counter())
        Task {
            await gate.wait()
            isOpen.add()
        }
        for _ in 0..<width {
            Task {
                await run(bytes: 0) {
                    running.add()
                    while isOpen.value == 0 { sched_yield() }
                }
            }
        }
        await until { running.value == width }
    }
}

/// A source with a configurable behaviour.
private struct StrangeSource: ByteSource {
    let name: String
    let isLocal: Bool
    private let opening: @Sendable () async throws(TexelError) -> OpenedBytes

    init(name: String, count: Int? = nil, bytes: @escaping @Sendable () async throws(TexelError) -> [UInt8]) {
        self.name = name
        isLocal = true
        opening = { () async throws(TexelError) in
            let bytes = try await bytes()
            return OpenedBytes(version: nil, count: count) { InputBytes(bytes) }
        }
    }

    init(name: String, deliver: @escaping @Sendable (ArrivingBytes) async throws(TexelError) -> Void) {
        self.name = name
        isLocal = false
        opening = { OpenedBytes(version: nil, count: nil, deliver: deliver) }
    }

    var identity: InputIdentity { InputIdentity("strange:\(name)") }

    func open(limits: Limits) async throws(TexelError) -> OpenedBytes { try await opening() }
}
