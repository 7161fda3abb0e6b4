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

/// Thousands of random calls in any order; the invariants must hold.
@Suite(.timeLimit(.minutes(30))) struct PipelineStressTests {
    private typealias PixelTask = ImageTask<PixelBuffer>
    private typealias FileTask = ImageTask<EncodedImage>

    /// A task that the test holds, and its expected outcome.
    private struct Asked<Output: Sendable> {
        let task: ImageTask<Output>
        let source: MoodySource
        let expected: Output
        var isCancelled = false
    }

    /// The expected result, made without sharing.
    private struct Lone {
        let recipe: Recipe
        let image: PixelBuffer
        let file: EncodedImage
    }

    private struct Events {
        let source: MoodySource
        /// The number of endings, and whether the last event was one.
        let collector: Task<(ends: Int, endsLast: Bool), Never>
    }

    private static let recipes = [
        Recipe(), Recipe().resizing(width: 9), Recipe().resizing(width: 13), Recipe().rotating(by: 90),
    ]

    @Test(arguments: 0..<6) func anythingInAnyOrder(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryDirectory()
        let workers = WorkerPool(width: 2, byteBudget: 1 << 20)
        let transfers = 5
        var pipeline: ImagePipeline? = makePipeline(seed, workers, transfers, folder)
        weak let seenPipeline = pipeline
        let inputs = try (0..<8).map { try Self.bytes($0) }
        let lones = try inputs.map { bytes in
            try Self.recipes.map { recipe in
                Lone(
                    recipe: recipe,
                    image: try PixelBuffer(
                        from: InputBytes(bytes), recipe, policy: DecodePolicy()),
                    file: try CodecRegistry.shared.open(InputBytes(bytes)).processed(recipe))
            }
        }
        var leaks: [() -> Bool] = []
        if let pipeline {
            var images: [Asked<PixelBuffer>] = []
            var files: [Asked<EncodedImage>] = []
            var events: [Events] = []
            let slots = (0..<3).map { _ in ImageSlot(pipeline) }
            let prefetching = Prefetching(pipeline)
            for step in 0..<500 {
                let index = Int.random(in: inputs.indices, using: &generator)
                let lone = lones[index].randomElement(using: &generator) ?? lones[index][0]
                let mood = MoodySource.Mood.allCases.randomElement(using: &generator) ?? .whole
                // The same bytes with another behaviour are another input.
                let source = MoodySource(name: "\(index)", bytes: inputs[index], mood: mood)
                var request = ImageRequest(source, recipe: lone.recipe)
                request.priority = Priority.allCases.randomElement(using: &generator) ?? .normal
                request.cacheUse = [.full, .full, .refresh, .none].randomElement(using: &generator) ?? .full
                switch Int.random(in: 0..<16, using: &generator) {
                case 0...3:
                    let task = pipeline.imageTask(for: request)
                    leaks.append { [weak task] in task == nil }
                    images.append(Asked(task: task, source: source, expected: lone.image))
                case 4, 5:
                    let task = pipeline.encodedImageTask(for: request)
                    leaks.append { [weak task] in task == nil }
                    files.append(Asked(task: task, source: source, expected: lone.file))
                case 6, 7:
                    if let index = images.indices.randomElement(using: &generator) {
                        images[index].isCancelled = true
                        images[index].task.cancel()
                    }
                case 8:
                    if let index = files.indices.randomElement(using: &generator) {
                        files[index].isCancelled = true
                        files[index].task.cancel()
                    }
                case 9: images.randomElement(using: &generator)?.task.priority = request.priority
                case 10:
                    if let index = images.indices.randomElement(using: &generator) { images.remove(at: index) }
                case 11:
                    if let asked = images.randomElement(using: &generator) {
                        events.append(Events(source: asked.source, collector: Self.collect(asked.task.events)))
                    }
                case 12: slots.randomElement(using: &generator)?.show(step % 5 == 0 ? nil : request)
                case 13: prefetching.start([request])
                case 14: prefetching.stop([request])
                default: for _ in 0..<Int.random(in: 0..<60, using: &generator) { await Task.yield() }
                }
            }
            prefetching.stopAll()
            for slot in slots { slot.show(nil) }
            // Stalled requests never end by themselves.
            for asked in images where asked.source.mood == .stalling { asked.task.cancel() }
            for asked in files where asked.source.mood == .stalling { asked.task.cancel() }
            // A listener retains its task, even if the task is not in `images` any more.
            for listened in events where listened.source.mood == .stalling { listened.collector.cancel() }
            for asked in images { try await check(asked) { $0.pixels == $1.pixels } }
            for asked in files { try await check(asked) { $0.bytes == $1.bytes } }
            // Late listeners receive the end too.
            for asked in images { #expect(await Self.collect(asked.task.events).value == (1, true)) }
            images = []
            files = []
            for listened in events {
                let (ends, endsLast) = await listened.collector.value
                // A cancelled listener receives no end.
                #expect(ends <= 1 && endsLast == (ends == 1) && (ends == 1 || listened.source.mood == .stalling))
            }
            await until { pipeline.isIdle && prefetching.count == 0 }
            try await everythingIsFree(pipeline, workers, transfers)
        }
        await until { leaks.allSatisfy { $0() } }
        pipeline = nil
        await until { seenPipeline == nil }
    }

    private func makePipeline(
        _ seed: Int, _ workers: WorkerPool, _ transfers: Int, _ folder: TemporaryDirectory
    ) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = workers
        configuration.transfers = transfers
        configuration.arrivals = 1 + seed % 3
        configuration.readAhead = 1 + seed % 2
        configuration.memoryCacheLimit = seed % 3 == 0 ? 0 : 20_000
        if seed % 2 == 1 {
            configuration.diskCache = DiskCache(directory: FilePath(folder("cache")), sizeLimit: 100_000)
        }
        return ImagePipeline(configuration)
    }

    /// A small image of its own size, in one of the formats.
    private static func bytes(_ index: Int) throws -> [UInt8] {
        let image = try PixelBuffer.smooth(PixelSize(width: 20 + index, height: 16))
        return try image.encoded(as: index % 2 == 0 ? .png(PNGOptions(effort: .fast)) : .jpeg(JPEGOptions()))
    }

    private static func collect(
        _ listener: PixelTask.Events
    ) -> Task<(ends: Int, endsLast: Bool), Never> {
        Task {
            var (ends, endsLast) = (0, false)
            for await event in listener {
                endsLast = if case .finished = event { true } else { false }
                if endsLast { ends += 1 }
            }
            return (ends, endsLast)
        }
    }

    private func check<Output>(_ asked: Asked<Output>, isEqual: (Output, Output) -> Bool) async throws {
        do throws(TexelError) {
            let output = try await asked.task.value
            #expect(asked.source.mood == .whole || asked.source.mood == .local)
            #expect(isEqual(output, asked.expected))
        } catch {
            let isCancelled = error == .stopped(.cancelled)
            #expect(isCancelled ? asked.isCancelled || asked.source.mood == .stalling : error == asked.source.error)
        }
        // And again.
        let outcomes = (await asked.task.result, await asked.task.result)
        if case (.success(let first), .success(let second)) = outcomes { #expect(isEqual(first, second)) }
    }

    /// Checks that all workers, bytes and transfers are free again.
    private func everythingIsFree(_ pipeline: ImagePipeline, _ workers: WorkerPool, _ transfers: Int) async throws {
        let (running, isOver) = (Counter(), Counter())
        await withTaskGroup { group in
            for _ in 0..<workers.width {
                group.addTask {
                    await workers.run(bytes: workers.byteBudget / workers.width) {
                        running.add()
                        while isOver.value == 0 { sched_yield() }
                    }
                }
            }
            await until { running.value == workers.width }
            isOver.add()
        }
        let gate = Gate()
        let bytes = try Self.bytes(0)
        let sources = (0..<transfers).map { index in
            var source = CountedSource(name: "last \(index)", bytes: bytes, gate: gate)
            source.isLocal = false
            return source
        }
        let tasks = sources.map { pipeline.imageTask(for: ImageRequest($0)) }
        await until { sources.allSatisfy { $0.opened.value == 1 } }
        gate.open()
        for task in tasks { #expect(try await task.value.width == 20) }
        await until { pipeline.isIdle }
    }
}

extension ImageTask {
    fileprivate var result: Result<Output, TexelError> {
        get async {
            do throws(TexelError) { return .success(try await value) } catch { return .failure(error) }
        }
    }
}

/// A source with one of several behaviours.
private struct MoodySource: ByteSource {
    enum Mood: String, CaseIterable {
        case local, whole, failing, short, stalling, closed
    }

    let name: String
    let bytes: [UInt8]
    let mood: Mood

    var identity: InputIdentity { InputIdentity("moody:\(mood):\(name)") }
    var isLocal: Bool { mood == .local }

    /// The expected error of a request, unless it is cancelled.
    var error: TexelError? {
        switch mood {
        case .local, .whole, .stalling: nil
        case .failing: .transferFailed("moody")
        case .short: .incomplete(received: bytes.count / 2, announced: bytes.count)
        case .closed: .status(404)
        }
    }

    func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
        await Task.yield()
        if mood == .closed { throw .status(404) }
        let (bytes, mood) = (bytes, mood)
        if mood == .local { return OpenedBytes(version: identity, count: bytes.count) { InputBytes(bytes) } }
        let announced = mood == .failing || mood == .stalling ? nil : bytes.count
        return OpenedBytes(version: identity, count: announced) { arriving async throws(TexelError) in
            let end = mood == .whole ? bytes.count : bytes.count / 2
            for start in stride(from: 0, to: end, by: 100) {
                let chunk = bytes[start..<min(start + 100, end)]
                let outcome = chunk.withUnsafeBytes { raw in
                    Result { () throws(TexelError) in try arriving.append(raw) }
                }
                if case .failure(let error) = outcome { throw error }
                await Task.yield()
            }
            if mood == .failing { throw .transferFailed("moody") }
            if mood == .stalling {
                // Ends when its task is cancelled.
                let (never, feed) = AsyncStream<Never>.makeStream()
                for await _ in never {}
                withExtendedLifetime(feed) {}
                throw .stopped(.cancelled)
            }
        }
    }
}
