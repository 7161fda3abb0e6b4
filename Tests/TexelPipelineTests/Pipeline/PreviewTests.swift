import TestSupport
import Testing
import TexelCodecs
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Previews before the final image, and several images at once.
@Suite(.timeLimit(.minutes(30))) struct PreviewTests {
    private let pipeline: ImagePipeline
    private let bytes: [UInt8]
    private let recipe = Recipe().resizing(width: 80)

    init() throws {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = WorkerPool(width: 2, byteBudget: 64 << 20)
        pipeline = ImagePipeline(configuration)
        let image = try PixelBuffer.smooth(PixelSize(width: 320, height: 240))
        bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 85, isProgressive: true)))
    }

    private func expected() throws -> PixelBuffer {
        try PixelBuffer(from: InputBytes(bytes), recipe, policy: DecodePolicy())
    }

    private func request(_ source: any ByteSource) -> ImageRequest {
        var request = ImageRequest(source, recipe: recipe)
        request.deliversPreviews = true
        return request
    }

    @Test func ofAFileThereIsOne() async throws {
        let task = pipeline.imageTask(for: request(BytesSource(bytes)))
        var previews: [PixelBuffer] = []
        var last: PixelBuffer?
        for await event in task.events {
            switch event {
            case .preview(let image): previews.append(image)
            case .finished(let result): last = try result.get()
            case .progress: break
            }
        }
        let final = try expected()
        #expect(last?.pixels == final.pixels)
        #expect(previews.count == 1)
        #expect(previews.allSatisfy { $0.size == final.size && $0.meanDifference(from: final) < 12 })
    }

    /// While bytes arrive in small pieces, previews improve, and none follows the final image.
    @Test func ofAStreamTheyBecomeBetter() async throws {
        let (chunks, feed) = AsyncStream.makeStream(of: ArraySlice<UInt8>.self)
        let task = pipeline.imageTask(for: request(StreamSource(chunks)))
        let events = task.events
        var position = 0
        func send(_ count: Int) {
            let end = min(position + count, bytes.count)
            feed.yield(bytes[position..<end])
            position = end
        }
        // Enough for the first scan; the next pieces are sent after a preview.
        send(bytes.count / 2)
        var differences: [Double] = []
        var last: PixelBuffer?
        let final = try expected()
        for await event in events {
            switch event {
            case .preview(let image):
                #expect(last == nil)
                differences.append(image.meanDifference(from: final))
                send(bytes.count)
                feed.finish()
            case .finished(let result): last = try result.get()
            case .progress: break
            }
        }
        #expect(last?.pixels == final.pixels)
        #expect(!differences.isEmpty)
        #expect(differences == differences.sorted(by: >))
    }

    @Test func onlyForThoseWhoAskForThem() async throws {
        let task = pipeline.imageTask(for: ImageRequest(BytesSource(bytes), recipe: recipe))
        for await event in task.events {
            if case .preview = event { Issue.record("nobody asked for a preview") }
        }
    }

    @Test func othersHaveNone() async throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 32, height: 24))
        for encoding in [ImageEncoding.png(PNGOptions(effort: .fast)), .jpeg(JPEGOptions(isProgressive: false))] {
            let task = pipeline.imageTask(for: request(BytesSource(try image.encoded(as: encoding))))
            for await event in task.events {
                if case .preview = event { Issue.record("a preview of \(encoding)") }
            }
            #expect(try await task.value.width == 32)
        }
    }

    @Test(arguments: [1, 3, 6]) func setsAreDecodedOnce(count: Int) async throws {
        let image = try PixelBuffer.noise(PixelSize(width: 700, height: 500), alphaMode: .opaque)
        let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 90)))
        let widths = [20, 40, 100, 200, 333, 600].prefix(count)
        let recipes = widths.map { Recipe().resizing(width: $0) }
        let images = try await pipeline.images(for: ImageRequest(BytesSource(bytes)), recipes: recipes)
        #expect(images.map(\.width) == Array(widths))
        let files = try await pipeline.encodedImages(for: ImageRequest(BytesSource(bytes)), recipes: recipes)
        #expect(files.map(\.size.width) == Array(widths))
        #expect(pipeline.statistics.decodes == 2)
        // The finest of them determines the scale, so the largest image is the same as if made alone.
        let alone = try PixelBuffer(
            from: InputBytes(bytes), recipes[count - 1], policy: DecodePolicy())
        #expect(images[count - 1].pixels == alone.pixels)
        for (image, recipe) in zip(images, recipes) {
            let alone = try PixelBuffer(
                from: InputBytes(bytes), recipe, policy: DecodePolicy())
            #expect(image.meanDifference(from: alone) < 8)
        }
    }

    @Test func anEmptySet() async throws {
        #expect(try await pipeline.images(for: ImageRequest(BytesSource(bytes)), recipes: []).isEmpty)
    }
}
