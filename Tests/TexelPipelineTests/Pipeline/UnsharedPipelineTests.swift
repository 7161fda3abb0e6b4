import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelOperations
import TexelPixels

@testable import TexelPipeline

/// A pipeline whose requests share nothing makes the same results.
@Suite struct UnsharedPipelineTests {
    private let shared = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20), sharesWork: true)
    private let unshared = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))

    private func request(_ recipe: Recipe = Recipe()) throws -> ImageRequest {
        let image = try PixelBuffer.smooth(PixelSize(width: 300, height: 200))
        return ImageRequest(BytesSource(try image.encoded(as: .jpeg(JPEGOptions(quality: 90)))), recipe: recipe)
    }

    @Test func makesTheSameResults() async throws {
        let request = try request(Recipe().resizing(width: 90).rotating(by: 10))
        #expect(try await unshared.image(for: request) == shared.image(for: request))
        let (own, other) = (try await unshared.encodedImage(for: request), try await shared.encodedImage(for: request))
        #expect(own.bytes == other.bytes && own.warnings == other.warnings)
        #expect(try await unshared.imageTask(for: request).value == shared.image(for: request))
        #expect(unshared.statistics.decodes == 3 && unshared.isIdle)
    }

    /// The results of one request still share a decoder.
    @Test func decodesASetOnce() async throws {
        let recipes = [90, 80, 70].map { Recipe().resizing(width: $0) }
        let request = try request()
        #expect(
            try await unshared.images(for: request, recipes: recipes)
                == shared.images(for: request, recipes: recipes))
        #expect(unshared.statistics.decodes == 1)
    }

    @Test func reportsTheErrorsOfAFile() async throws {
        let damaged = ImageRequest(BytesSource([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]))
        let expected = try #require(
            await #expect(throws: TexelError.self) { try await shared.image(for: damaged) })
        await #expect(throws: expected) { try await unshared.image(for: damaged) }
        var late = try request()
        late.timeout = .zero
        await #expect(throws: TexelError.stopped(.timedOut)) { try await unshared.image(for: late) }
    }

    @Test func cancellingEndsARequest() async throws {
        let request = try request()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await unshared.image(for: request)
        }
        await #expect(throws: TexelError.stopped(.cancelled)) { try await task.value }
    }
}
