import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Requests, what they share, and how they are cancelled.
@Suite(.timeLimit(.minutes(30))) struct ImagePipelineTests {
    private let workers = WorkerPool(width: 2, byteBudget: 64 << 20)
    private let pipeline: ImagePipeline
    private let image: PixelBuffer

    init() throws {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = workers
        pipeline = ImagePipeline(configuration)
        image = try PixelBuffer.smooth(PixelSize(width: 160, height: 120))
    }

    private func source(
        _ name: String = "a", _ format: ImageFormat = .png, gate: Gate? = nil
    ) throws -> CountedSource {
        let encoding: ImageEncoding = format == .png ? .png(PNGOptions(effort: .fast)) : .jpeg(JPEGOptions())
        return CountedSource(name: name, bytes: try image.encoded(as: encoding), gate: gate)
    }

    /// Keeps all workers busy until the gate opens.
    private func occupyWorkers(until gate: Gate) async {
        let running = Counter()
        let isOpen = Counter()
        Task {
            await gate.wait()
            isOpen.add()
        }
        for _ in 0..<workers.width {
            Task {
                await workers.run(bytes: 0) {
                    running.add()
                    while isOpen.value == 0 { sched_yield() }
                }
            }
        }
        await until { running.value == workers.width }
    }

    @Test(arguments: ImageFormat.tested) func comesToTheSameAsTheRecipe(format: ImageFormat) async throws {
        let source = try source("a", format)
        for recipe in [Recipe(), Recipe().resizing(width: 50), Recipe().rotating(by: 90), Recipe().rotating(by: 12)] {
            let expected = try PixelBuffer(
                from: InputBytes(source.bytes), recipe, policy: DecodePolicy())
            #expect(try await pipeline.image(for: ImageRequest(source, recipe: recipe)).pixels == expected.pixels)
            let file = try await pipeline.encodedImage(for: ImageRequest(source, recipe: recipe))
            #expect(try file.bytes == CodecRegistry.shared.open(InputBytes(source.bytes)).processed(recipe).bytes)
        }
    }

    @Test func equalRequestsAreDoneOnce() async throws {
        let gate = Gate()
        let source = try source(gate: gate)
        let request = ImageRequest(source, recipe: Recipe().resizing(width: 40))
        let tasks = (0..<100).map { _ in pipeline.imageTask(for: request) }
        gate.open()
        var images: [PixelBuffer] = []
        for task in tasks { images.append(try await task.value) }
        #expect(source.read.value == 1)
        #expect(pipeline.statistics.decodes == 1)
        #expect(images.allSatisfy { $0.pixels == images[0].pixels })
    }

    @Test func oneDecodeServesManySizes() async throws {
        let gate = Gate()
        let source = try source()
        await occupyWorkers(until: gate)
        let widths = [10, 20, 33, 64, 160]
        let tasks = widths.map { width in
            pipeline.imageTask(for: ImageRequest(source, recipe: Recipe().resizing(width: width)))
        }
        let files = widths.map { width in
            pipeline.encodedImageTask(for: ImageRequest(source, recipe: Recipe().resizing(width: width)))
        }
        // All have joined one decoder, which waits for a worker.
        await until { workers.waitingCount == 1 && pipeline.waitingForDecoder == 2 * widths.count }
        gate.open()
        for (width, task) in zip(widths, tasks) {
            let alone = try PixelBuffer(
                from: InputBytes(source.bytes), Recipe().resizing(width: width), policy: DecodePolicy())
            #expect(try await task.value.pixels == alone.pixels, "\(width)")
        }
        for (width, task) in zip(widths, files) {
            let alone = try CodecRegistry.shared.open(InputBytes(source.bytes)).processed(
                Recipe().resizing(width: width))
            #expect(try await task.value.bytes == alone.bytes, "\(width)")
        }
        #expect(source.read.value == 1)
        #expect(pipeline.statistics.decodes == 1)
    }

    /// The images of one decoder are in memory together, so they are limited to a worker's share of the budget; the
    /// others are made by further decoders.
    @Test func imagesOfOneDecodeStayWithinTheBudget() async throws {
        let imageBytes = image.height * image.bytesPerRow
        var configuration = ImagePipeline.Configuration()
        configuration.workers = WorkerPool(width: 1, byteBudget: 5 * imageBytes / 2)
        let pipeline = ImagePipeline(configuration)
        let gate = Gate()
        let source = try source(gate: gate)
        let angles = (1...7).map { Double($0 * 10) }
        let tasks = angles.map { angle in
            pipeline.imageTask(for: ImageRequest(source, recipe: Recipe().rotating(by: angle)))
        }
        gate.open()
        for (angle, task) in zip(angles, tasks) {
            let alone = try PixelBuffer(
                from: InputBytes(source.bytes), Recipe().rotating(by: angle), policy: DecodePolicy())
            #expect(try await task.value.pixels == alone.pixels, "\(angle)")
        }
        #expect(pipeline.statistics.decodes >= 4)
    }

    @Test func aTaskIsCancelledWhenAllAre() async throws {
        let gate = Gate()
        let source = try source(gate: gate)
        let request = ImageRequest(source, recipe: Recipe().resizing(width: 40))
        let tasks = (0..<3).map { _ in pipeline.imageTask(for: request) }
        tasks[0].cancel()
        tasks[1].cancel()
        await #expect(throws: TexelError.stopped(.cancelled)) { try await tasks[0].value }
        gate.open()
        #expect(try await tasks[2].value.width == 40)
        // And again after it was finished.
        #expect(try await tasks[2].value.width == 40)
    }

    @Test func theLastToLeaveStopsTheWork() async throws {
        let gate = Gate()
        let source = try source()
        await occupyWorkers(until: gate)
        let request = ImageRequest(source, recipe: Recipe().resizing(width: 40))
        let tasks = (0..<3).map { _ in pipeline.imageTask(for: request) }
        await until { workers.waitingCount == 1 }
        for task in tasks { task.cancel() }
        await until { workers.waitingCount == 0 }
        gate.open()
        await until { pipeline.isIdle }
        #expect(pipeline.statistics.decodes == 0)
        // A later request starts again.
        #expect(try await pipeline.image(for: request).width == 40)
    }

    @Test func cancellingTheWaitCancelsTheTask() async throws {
        let gate = Gate()
        let source = try source()
        await occupyWorkers(until: gate)
        let waiting = Task { try await pipeline.image(for: ImageRequest(source)) }
        await until { workers.waitingCount == 1 }
        waiting.cancel()
        await #expect(throws: TexelError.stopped(.cancelled)) { try await waiting.value }
        await until { workers.waitingCount == 0 }
        gate.open()
    }

    @Test func aTaskThatNobodyHoldsStops() async throws {
        let gate = Gate()
        await occupyWorkers(until: gate)
        do {
            let task = pipeline.imageTask(for: ImageRequest(try source()))
            await until { workers.waitingCount == 1 }
            withExtendedLifetime(task) {}
        }
        await until { workers.waitingCount == 0 }
        gate.open()
        await until { pipeline.isIdle }
    }

    /// The sequence of events is the only reference to the task.
    @Test func eventsRetainTheTask() async throws {
        let gate = Gate()
        let events = pipeline.imageTask(for: ImageRequest(try source(gate: gate))).events
        gate.open()
        #expect(await Self.end(of: events)?.width == 160)
        // As an expression, which leaves the iterator as the only reference.
        let source = try source("b", .jpeg)
        #expect(await Self.end(of: pipeline.imageTask(for: ImageRequest(source)).events)?.width == 160)
        await until { pipeline.isIdle }
    }

    /// The image of the last event.
    private static func end(of events: ImageTask<PixelBuffer>.Events) async -> PixelBuffer? {
        var last: ImageTask<PixelBuffer>.Event?
        for await event in events { last = event }
        guard case .finished(.success(let image)) = last else { return nil }
        return image
    }

    @Test func aListenerThatIsCancelledReleasesTheTask() async throws {
        let gate = Gate()
        await occupyWorkers(until: gate)
        var events: ImageTask<PixelBuffer>.Events? = pipeline.imageTask(for: ImageRequest(try source())).events
        let listener = Task { [events] in
            if let events { for await _ in events {} }
        }
        await until { workers.waitingCount == 1 }
        listener.cancel()
        await listener.value
        #expect(workers.waitingCount == 1 && events != nil)
        // The last reference to the task.
        events = nil
        await until { workers.waitingCount == 0 }
        gate.open()
        await until { pipeline.isIdle }
    }

    @Test func aReleasedTaskKeepsRunningIfAsked() async throws {
        let gate = Gate()
        let source = try source()
        await occupyWorkers(until: gate)
        let request = ImageRequest(source)
        pipeline.imageTask(for: request).keepRunning()
        await until { workers.waitingCount == 1 }
        gate.open()
        await until { pipeline.isIdle }
        #expect(pipeline.statistics.decodes == 1)
        // The result is in the memory cache.
        #expect(try await pipeline.image(for: request).width == 160)
        #expect(pipeline.statistics.decodes == 1)
    }

    @Test func aTaskThatKeepsRunningCanBeCancelled() async throws {
        let gate = Gate()
        let source = try source()
        await occupyWorkers(until: gate)
        let task = pipeline.imageTask(for: ImageRequest(source))
        task.keepRunning()
        await until { workers.waitingCount == 1 }
        task.cancel()
        await until { workers.waitingCount == 0 }
        gate.open()
        await until { pipeline.isIdle }
    }

    /// The urgent request is decoded before other work of high priority, the other one after it.
    @Test func urgencyDecidesAndMayChange() async throws {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = WorkerPool(width: 1, byteBudget: 64 << 20)
        let workers = configuration.workers
        let pipeline = ImagePipeline(configuration)
        func block(_ priority: Priority) -> (running: Counter, isOpen: Counter) {
            let (running, isOpen) = (Counter(), Counter())
            Task {
                try await workers.run(bytes: { 0 }, urgency: Urgency(priority), stop: StopToken()) {
                    running.add()
                    while isOpen.value == 0 { sched_yield() }
                }
            }
            return (running, isOpen)
        }
        let first = block(.normal)
        await until { first.running.value == 1 }
        let second = block(.high)
        await until { workers.waitingCount == 1 }
        let normal = pipeline.imageTask(for: ImageRequest(try source("normal")))
        let raised = pipeline.imageTask(for: ImageRequest(try source("raised"), priority: .low))
        await until { workers.waitingCount == 3 }
        raised.priority = .veryHigh
        first.isOpen.add()
        await until { second.running.value == 1 }
        #expect(try await raised.value.width == 160)
        #expect(pipeline.statistics.decodes == 1)
        second.isOpen.add()
        #expect(try await normal.value.width == 160)
    }

    @Test func eventsEndWithTheResultForLateListenersToo() async throws {
        let task = pipeline.imageTask(for: ImageRequest(try source()))
        let image = try await task.value
        for _ in 0..<2 {
            var last: ImageTask<PixelBuffer>.Event?
            for await event in task.events { last = event }
            guard case .finished(.success(let seen)) = last else {
                Issue.record("no result in the events")
                return
            }
            #expect(seen.pixels == image.pixels)
        }
    }

    @Test func errorsReachEverybody() async throws {
        let source = CountedSource(name: "broken", bytes: Array("no picture".utf8))
        let tasks = (0..<5).map { _ in pipeline.imageTask(for: ImageRequest(source)) }
        for task in tasks {
            await #expect(throws: TexelError.self) { try await task.value }
        }
        await #expect(throws: TexelError.missingFile("/nowhere/a.jpg")) {
            try await pipeline.image(for: ImageRequest("/nowhere/a.jpg"))
        }
        await until { pipeline.isIdle }
    }

    @Test func bytesFromAStream() async throws {
        let bytes = try source("s", .jpeg).bytes
        let chunks = AsyncStream<ArraySlice<UInt8>> { continuation in
            for start in stride(from: 0, to: bytes.count, by: 100) {
                continuation.yield(bytes[start..<min(start + 100, bytes.count)])
            }
            continuation.finish()
        }
        let request = ImageRequest(StreamSource(chunks, count: bytes.count), recipe: Recipe().resizing(width: 50))
        let expected = try PixelBuffer(
            from: InputBytes(bytes), request.recipe, policy: DecodePolicy())
        #expect(try await pipeline.image(for: request).pixels == expected.pixels)
    }

    /// The first half is decoded before the second arrives, for each format and each kind of result.
    @Test(arguments: ImageFormat.tested) func bytesAreDecodedAsTheyArrive(format: ImageFormat) async throws {
        let image = try PixelBuffer.noise(PixelSize(width: 200, height: 600), alphaMode: .opaque)
        let encoding: ImageEncoding = format == .png ? .png(PNGOptions(effort: .fast)) : .jpeg(JPEGOptions())
        let bytes = try image.encoded(as: encoding)
        let (chunks, feed) = AsyncStream.makeStream(of: ArraySlice<UInt8>.self)
        let recipe = Recipe().resizing(width: 100)
        let request = ImageRequest(StreamSource(chunks), recipe: recipe)
        let task = pipeline.imageTask(for: request)
        let events = task.events
        feed.yield(bytes[..<(bytes.count * 3 / 4)])
        await until { pipeline.statistics.decodes == 1 }
        feed.yield(bytes[(bytes.count * 3 / 4)...])
        feed.finish()
        let expected = try PixelBuffer(
            from: InputBytes(bytes), recipe, policy: DecodePolicy())
        #expect(try await task.value.pixels == expected.pixels)
        for await _ in events {}
        await until { pipeline.isIdle }
    }

    /// Streams that stall block neither their own cancellation nor other requests.
    @Test func streamsThatStall() async throws {
        let bytes = try source("s", .jpeg).bytes
        var feeds: [AsyncStream<ArraySlice<UInt8>>.Continuation] = []
        let stalled = (0..<12).map { index in
            let (chunks, feed) = AsyncStream.makeStream(of: ArraySlice<UInt8>.self)
            feed.yield(bytes[..<(index % 2 == 0 ? 20 : bytes.count / 2)])
            feeds.append(feed)
            return pipeline.imageTask(for: ImageRequest(StreamSource(chunks)))
        }
        // Files and workers continue meanwhile.
        #expect(try await pipeline.image(for: ImageRequest(try source())).width == 160)
        for task in stalled { task.cancel() }
        await until { pipeline.isIdle }
        withExtendedLifetime(feeds) {}
    }

    @Test func streamsThatFail() async throws {
        struct Broken: Error {}
        let bytes = try source("s", .jpeg).bytes
        for count in [0, 10, bytes.count / 2] {
            let chunks = AsyncThrowingStream<ArraySlice<UInt8>, any Error> { continuation in
                continuation.yield(bytes[..<count])
                continuation.finish(throwing: Broken())
            }
            await #expect(throws: TexelError.source(Broken())) {
                try await pipeline.image(for: ImageRequest(StreamSource(chunks)))
            }
            let short = AsyncStream<ArraySlice<UInt8>> { continuation in
                continuation.yield(bytes[..<count])
                continuation.finish()
            }
            await #expect(
                throws: TexelError.incomplete(received: count, announced: bytes.count)
            ) {
                try await pipeline.image(for: ImageRequest(StreamSource(short, count: bytes.count)))
            }
        }
        await until { pipeline.isIdle }
    }

    /// Any step of a source may throw: opening, reading, or delivering bytes.
    @Test(arguments: OwnErrorSource.Step.allCases) func aSourcesOwnErrorIsKept(step: OwnErrorSource.Step) async throws {
        let request = ImageRequest(OwnErrorSource(step: step))
        let error = await #expect(throws: TexelError.self) { try await pipeline.image(for: request) }
        #expect(error?.kind == .source)
        #expect(error?.underlying as? OwnErrorSource.Offline == OwnErrorSource.Offline(store: "photos"))
        #expect(error?.description == "the source failed: the store photos is offline")
        await until { pipeline.isIdle }
    }

    @Test func errorsOfTexelFromASourceAreNotWrapped() async throws {
        for error: any Error in [TexelError.missingFile("x"), TexelError.outOfMemory, CancellationError()] {
            let chunks = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: error) }
            let thrown = await #expect(throws: TexelError.self) {
                try await pipeline.image(for: ImageRequest(StreamSource(chunks)))
            }
            switch error {
            case let error as TexelError: #expect(thrown == error)
            case let error as TexelError: #expect(thrown == error)
            default: #expect(thrown == .stopped(.cancelled))
            }
        }
    }

    /// A second iteration of its sequence would give nothing, or the same bytes again.
    @Test func aStreamIsReadOnce() async throws {
        let bytes = try source("s", .jpeg).bytes
        let (chunks, feed) = AsyncStream.makeStream(of: [UInt8].self)
        feed.yield(bytes)
        feed.finish()
        for request in [ImageRequest(StreamSource(chunks)), ImageRequest(StreamSource([bytes].async))] {
            #expect(try await pipeline.image(for: request).width == 160)
            await until { pipeline.isIdle }
            await #expect(throws: TexelError.alreadyRead) { try await pipeline.image(for: request) }
        }
        #expect("\(TexelError.alreadyRead)".contains("make a new source for each request"))
    }

    @Test func anAddressIsNotAMissingFile() async throws {
        for address in ["https://example.org/a/b.jpg?width=3", "http://h/", "s3://bucket/a.jpg"] {
            let error = try #require(
                await #expect(throws: TexelError.self) {
                    try await pipeline.image(for: ImageRequest(FilePath(address)))
                })
            guard error.kind == .invalidURL, let named = error.place.input else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(address.hasPrefix(named))
            #expect("\(TexelError.unsupportedURL(address))".contains("trait HTTP") == address.hasPrefix("http"))
            #expect(throws: error) { try InputReader.read(FilePath(address), limit: 9) }
        }
        for path: FilePath in ["https:", "a/https:/x", "/https:/x", "c:/x.jpg", "§:/x", "a b:/x"] {
            await #expect(throws: TexelError.missingFile(path)) {
                try await pipeline.image(for: ImageRequest(path))
            }
        }
    }

    /// While all workers are busy and much work waits, an unrelated task continues.
    @Test func otherTasksGoOn() async throws {
        let gate = Gate()
        await occupyWorkers(until: gate)
        let tasks = try (0..<200).map { index in
            pipeline.imageTask(for: ImageRequest(try source("\(index)")))
        }
        var steps = 0
        for _ in 0..<1000 {
            await Task.yield()
            steps += 1
        }
        #expect(steps == 1000)
        gate.open()
        for task in tasks { #expect(try await task.value.width == 160) }
    }
}
