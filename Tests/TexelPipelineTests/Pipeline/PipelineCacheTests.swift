import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// A result that was made once is not made again.
@Suite(.timeLimit(.minutes(30))) struct PipelineCacheTests {
    private let directory: TemporaryDirectory
    private let image: PixelBuffer

    init() throws {
        directory = try TemporaryDirectory()
        image = try PixelBuffer.smooth(PixelSize(width: 120, height: 90))
        try directory.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
    }

    private func pipeline(memory: Int = 1 << 20, disk: Bool = false) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = WorkerPool(width: 2, byteBudget: 64 << 20)
        configuration.memoryCacheLimit = memory
        if disk {
            configuration.diskCache = DiskCache(directory: FilePath(directory("cache")), sizeLimit: 1 << 20)
        }
        return ImagePipeline(configuration)
    }

    private var request: ImageRequest {
        ImageRequest(FilePath(directory("a.png")), recipe: Recipe().resizing(width: 40))
    }

    @Test func repeatedRequestsAreServedFromMemory() async throws {
        let pipeline = pipeline()
        let first = try await pipeline.image(for: request)
        let second = try await pipeline.image(for: request)
        #expect(first.pixels == second.pixels)
        #expect(pipeline.statistics.decodes == 1)
        #expect(pipeline.statistics.memoryCache?.hits == 1)
        // Another recipe, another kind of result and another strictness have other keys.
        _ = try await pipeline.encodedImage(for: request)
        var other = request
        other.recipe = Recipe().resizing(width: 41)
        #expect(try await pipeline.image(for: other).width == 41)
        other = request
        other.policy.strictness = .warning
        _ = try await pipeline.image(for: other)
        #expect(pipeline.statistics.decodes == 4)
    }

    @Test func fromTheDiskOfAnotherPipeline() async throws {
        let first = pipeline(memory: 0, disk: true)
        let made = try await first.image(for: request)
        let file = try await first.encodedImage(for: request)
        #expect(first.statistics.decodes == 2)
        let second = pipeline(memory: 0, disk: true)
        let found = try await second.image(for: request)
        #expect(found.pixels == made.pixels && found.colorSpace == made.colorSpace)
        #expect(try await second.encodedImage(for: request).bytes == file.bytes)
        #expect(second.statistics.decodes == 0)
        #expect(second.statistics.diskCache?.hits == 2)
    }

    @Test func aChangedFileIsAnother() async throws {
        let pipeline = pipeline(disk: true)
        #expect(try await pipeline.image(for: request).height == 30)
        let wide = try PixelBuffer.smooth(PixelSize(width: 120, height: 30))
        try directory.add("a.png", try wide.encoded(as: .png(PNGOptions(effort: .fast))))
        #expect(try await pipeline.image(for: request).height == 10)
    }

    @Test func cachesMayBeLeftAlone() async throws {
        let pipeline = pipeline(disk: true)
        var request = request
        request.cacheUse = .none
        _ = try await pipeline.image(for: request)
        _ = try await pipeline.image(for: request)
        #expect(pipeline.statistics.decodes == 2)
        request.cacheUse = .refresh
        _ = try await pipeline.image(for: request)
        #expect(pipeline.statistics.decodes == 3)
        request.cacheUse = .full
        _ = try await pipeline.image(for: request)
        #expect(pipeline.statistics.decodes == 3)
        await pipeline.removeCachedResults()
        _ = try await pipeline.image(for: request)
        #expect(pipeline.statistics.decodes == 4)
    }

    @Test func equalBytesShareResultsOnDisk() async throws {
        let bytes = try directory.bytes("a.png")
        let pipeline = pipeline(disk: true)
        for _ in 0..<3 {
            let source = BytesSource(bytes)
            #expect(try await pipeline.image(for: ImageRequest(source, recipe: request.recipe)).width == 40)
        }
        #expect(pipeline.statistics.decodes == 1)
    }

    @Test func errorsAreNotKept() async throws {
        try directory.add("broken.png", Array("nothing".utf8))
        let pipeline = pipeline(disk: true)
        for _ in 0..<2 {
            await #expect(throws: TexelError.self) {
                try await pipeline.image(for: ImageRequest(FilePath(directory("broken.png"))))
            }
        }
        #expect(try directory.files().allSatisfy { !$0.hasPrefix("cache/") || $0.hasSuffix("usage") })
    }

    /// A cache that cannot be written has no hits, and its errors are reported.
    @Test func aDiskThatTakesNothing() async throws {
        let told = Counter()
        var configuration = ImagePipeline.Configuration()
        configuration.memoryCacheLimit = 0
        // A file is in the place of the folder.
        configuration.diskCache = DiskCache(directory: FilePath(directory("a.png/cache")), sizeLimit: 1 << 20)
        configuration.onDiskCacheError = { _ in told.add() }
        let pipeline = ImagePipeline(configuration)
        for _ in 0..<2 { #expect(try await pipeline.image(for: request).width == 40) }
        #expect(pipeline.statistics.decodes == 2)
        #expect(told.value == 2)
    }

    @Test func aFolderThatIsDeletedMeanwhile() async throws {
        let pipeline = pipeline(memory: 0, disk: true)
        for _ in 0..<3 {
            _ = try await pipeline.image(for: request)
            try FileManager.default.removeItem(atPath: directory("cache"))
        }
        #expect(pipeline.statistics.decodes == 3)
        _ = try await pipeline.image(for: request)
        _ = try await pipeline.image(for: request)
        #expect(pipeline.statistics.decodes == 4)
    }
}
