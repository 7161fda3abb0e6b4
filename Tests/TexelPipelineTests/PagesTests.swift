import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

@testable import TexelPipeline

/// Files of several images that are not an animation.
@Suite struct PagesTests {
    /// Two images of 2×1 pixels, and one of one pixel.
    private static let bytes =
        Array("P5 2 1 255\n".utf8) + [1, 2] + Array("P5 2 1 255\n".utf8) + [3, 4] + Array("P5 1 1 255\n".utf8) + [5]

    private func result(_ recipe: Recipe) async throws -> EncodedImage {
        try await ImagePipeline.shared.encodedImage(for: ImageRequest(BytesSource(Self.bytes), recipe: recipe))
    }

    private func pixels(_ bytes: [UInt8]) throws -> [UInt32] {
        try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image.pixels
    }

    /// The first image is written, with a warning, unless another one is named.
    @Test func firstImageIsWrittenByDefault() async throws {
        let recipe = Recipe().encoding(as: .png)
        let first = try await result(recipe)
        #expect(try pixels(first.bytes) == [0xFF01_0101, 0xFF02_0202])
        #expect(first.warnings == ["only the first of 3 images was written"])
        var second = recipe
        second.frame = 1
        let named = try await result(second)
        #expect(try pixels(named.bytes) == [0xFF03_0303, 0xFF04_0404])
        #expect(named.warnings.isEmpty)
        second.frame = 3
        await #expect(throws: TexelError.missingPage(3, count: 3)) { try await result(second) }
        // Each image has its own size.
        second.frame = 2
        #expect(try pixels(try await result(second).bytes) == [0xFF05_0505])
    }

    /// A file whose pixels do not change keeps all images, but not if one is named.
    @Test func unchangedFilesKeepAllPagesUnlessOneIsNamed() async throws {
        let same = try await result(Recipe().keepingMetadata(.none))
        #expect(try CodecRegistry.shared.open(InputBytes(same.bytes)).info.pageCount == 3)
        var recipe = Recipe()
        recipe.frame = 1
        #expect(try await result(recipe).bytes == Array("P5\n2 1\n255\n".utf8) + [3, 4])
    }

    /// Recipes of a set may name different images.
    @Test func recipesOfASetReadDifferentPages() async throws {
        let recipes = [0, 2, 1, 2].map { frame in
            var recipe = Recipe().encoding(as: .png)
            recipe.frame = frame
            return recipe
        }
        let request = ImageRequest(BytesSource(Self.bytes))
        let results = try await ImagePipeline.shared.encodedImages(for: request, recipes: recipes)
        #expect(try results.map { try pixels($0.bytes).first } == [0xFF01_0101, 0xFF05_0505, 0xFF03_0303, 0xFF05_0505])
        #expect(results.map(\.size.width) == [2, 1, 2, 1])
    }

    /// The header of an image that is not the first.
    @Test func headersOfLaterPagesAreRead() async throws {
        let pipeline = ImagePipeline()
        let source = BytesSource(Self.bytes)
        let third = try await ImageInfo.load(from: source, limits: Limits(), page: 2, pipeline: pipeline).info
        #expect(third.size == PixelSize(width: 1, height: 1) && third.pageCount == 1)
        await #expect(throws: TexelError.missingPage(3, count: 3)) {
            try await ImageInfo.load(from: source, limits: Limits(), page: 3, pipeline: pipeline)
        }
    }
}
