import Testing
import TexelCodecs
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
        try ImageSource(InputBytes(bytes)).decodedAsStored().image.pixels
    }

    /// The first image is written, with a warning, unless another one is named.
    @Test func oneImage() async throws {
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
        await #expect(throws: PipelineError.codec(.missingFrame(3, count: 3))) { try await result(second) }
        // The plan is for the size of the first image.
        second.frame = 2
        let error = CodecError.unsupported("an image in a file whose first image has another size")
        await #expect(throws: PipelineError.codec(error)) { try await result(second) }
    }

    /// A file whose pixels do not change keeps all images, but not if one is named.
    @Test func unchanged() async throws {
        let same = try await result(Recipe().keepingMetadata(.none))
        #expect(try ImageSource(InputBytes(same.bytes)).info.pageCount == 3)
        var recipe = Recipe()
        recipe.frame = 1
        #expect(try await result(recipe).bytes == Array("P5\n2 1\n255\n".utf8) + [3, 4])
    }
}
