import TestSupport
import Testing
import TexelCodecs
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// A slot shows one image at a time.
@Suite(.timeLimit(.minutes(30))) struct ImageSlotTests {
    private let pipeline: ImagePipeline

    init() {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = WorkerPool(width: 2, byteBudget: 64 << 20)
        configuration.readAhead = 100
        pipeline = ImagePipeline(configuration)
    }

    /// An image that is identified by its width.
    private func source(_ width: Int, gate: Gate? = nil) throws -> CountedSource {
        let image = try PixelBuffer.smooth(PixelSize(width: width, height: 4))
        return CountedSource(
            name: "\(width)", bytes: try image.encoded(as: .png(PNGOptions(effort: .fast))), gate: gate)
    }

    @Test func showsWhatIsAskedFor() async throws {
        let slot = ImageSlot(pipeline)
        let contents = slot.contents
        slot.show(ImageRequest(try source(7)))
        var seen: [Int] = []
        for await content in contents {
            if case .image(let image) = content {
                seen.append(image.width)
                if seen.count == 2 { break }
                slot.show(ImageRequest(try source(9)))
            }
        }
        #expect(seen == [7, 9])
        slot.show(nil)
        guard case .empty = slot.content else {
            Issue.record("the slot is not empty")
            return
        }
    }

    @Test func aNewRequestDropsTheOldOne() async throws {
        let gate = Gate()
        let slot = ImageSlot(pipeline)
        let old = try source(7, gate: gate)
        slot.show(ImageRequest(old))
        await until { old.opened.value == 1 }
        slot.show(ImageRequest(try source(9)))
        // The old request ends, although its source still blocks.
        await until { pipeline.runningCount == 1 || pipeline.isIdle }
        gate.open()
        await until {
            if case .image(let image) = slot.content { image.width == 9 } else { false }
        }
        await until { pipeline.isIdle }
    }

    @Test func errorsAreShown() async throws {
        let slot = ImageSlot(pipeline)
        slot.show(ImageRequest("/nowhere/at/all.jpg"))
        for await content in slot.contents {
            if case .failed(let error) = content {
                #expect(error == .missingFile("/nowhere/at/all.jpg"))
                break
            }
        }
    }

    /// Requests in rapid succession, from the actor that reads the contents: each delivered image is the one
    /// requested last.
    @MainActor @Test func anOldImageNeverArrivesAfterANewRequest() async throws {
        let slot = ImageSlot(pipeline)
        let sources = try (1...20).map { try source($0) }
        var generator = SeededGenerator(seed: 5)
        var asked = 0
        let watcher = Task { @MainActor in
            var images = 0
            for await content in slot.contents {
                guard case .image(let image) = content else { continue }
                #expect(image.width == asked)
                images += 1
            }
            return images
        }
        for _ in 0..<2000 {
            let source = sources.randomElement(using: &generator) ?? sources[0]
            asked = source.identity.text.split(separator: ":").last.flatMap { Int($0) } ?? 0
            slot.show(ImageRequest(source))
            for _ in 0..<Int.random(in: 0..<40, using: &generator) { await Task.yield() }
        }
        await until {
            if case .image = slot.content { true } else { false }
        }
        watcher.cancel()
        #expect(await watcher.value > 0)
    }

    @MainActor @Test func whoWaitsForAnOldImageGetsNone() async throws {
        let gate = Gate()
        let slot = ImageSlot(pipeline)
        let old = try source(7, gate: gate)
        let first = Task { try await slot.image(for: ImageRequest(old)) }
        await until { old.opened.value == 1 }
        let second = try await slot.image(for: ImageRequest(try source(9)))
        gate.open()
        #expect(second?.width == 9)
        #expect(try await first.value == nil)
    }

    @Test func theContentsEndWithTheSlot() async throws {
        var slot: ImageSlot? = ImageSlot(pipeline)
        let contents = try #require(slot?.contents)
        let listening = Counter()
        let watcher = Task {
            for await _ in contents { listening.add() }
        }
        await until { listening.value == 1 }
        slot = nil
        await watcher.value
    }

    @Test func prefetchingIsTakenOver() async throws {
        let gate = Gate()
        let source = try source(12, gate: gate)
        let prefetching = Prefetching(pipeline)
        prefetching.start([ImageRequest(source), ImageRequest(source)])
        #expect(prefetching.count == 1)
        await until { source.opened.value == 1 }
        let task = pipeline.imageTask(for: ImageRequest(source, priority: .high))
        prefetching.stopAll()
        gate.open()
        #expect(try await task.value.width == 12)
        #expect(source.read.value == 1)
        await until { prefetching.count == 0 && pipeline.isIdle }
    }

    /// As in scrolling, a stopped request may be started again at once.
    @Test func prefetchingBeginsAnewAfterAStop() async throws {
        let gate = Gate()
        let requests = try [ImageRequest(source(12, gate: gate)), ImageRequest(source(13, gate: gate))]
        let prefetching = Prefetching(pipeline)
        prefetching.start(requests)
        prefetching.stopAll()
        #expect(prefetching.count == 0)
        prefetching.start(requests)
        prefetching.stop(requests.prefix(1))
        #expect(prefetching.count == 1)
        prefetching.start(requests)
        #expect(prefetching.count == 2)
        gate.open()
        await until { prefetching.count == 0 && pipeline.isIdle }
        let decodes = pipeline.statistics.decodes
        #expect(decodes == 2)
        for request in requests { _ = try await pipeline.image(for: request) }
        #expect(pipeline.statistics.decodes == decodes)
    }
}
