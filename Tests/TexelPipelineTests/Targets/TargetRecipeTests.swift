import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Recipes with a target, from file to file.
@Suite struct TargetRecipeTests {
    private static let size = PixelSize(width: 160, height: 120)

    private func recipe(_ target: EncodingTarget, _ format: ImageFormat? = .jpeg) -> Recipe {
        var recipe = Recipe().encoding(as: format, effort: .fast)
        recipe.output.target = target
        return recipe
    }

    private func image() throws -> PixelBuffer {
        try .make(width: Self.size.width, height: Self.size.height) { x, y in
            0xFF00_0000 | UInt32((x * x / 5 + y * 3) % 200) << 16 | UInt32((x / 9 * 31 + y) % 255) << 8 | UInt32(y)
        }
    }

    /// The score is measured against the resized image, not against the input.
    @Test func theReferenceIsTheResizedImage() throws {
        let source = try Input.source(try image())
        let resized = Recipe().resizing(width: 90)
        var aimed = resized.encoding(as: .jpeg)
        aimed.output.target.score = 75
        let result = try source.processed(aimed)
        let original = try source.processed(resized.encoding(as: .png)).image
        let score = try result.image.ssimulacra2(against: original)
        #expect(result.size.width == 90 && score >= 75 && score == result.score)
        #expect(result.route == .streaming && result.searchSummary?.contains("quality") == true)
    }

    @Test func orientationIsAppliedFirst() throws {
        let source = try Input.source(try image(), orientation: .rotated90)
        let result = try source.processed(recipe(EncodingTarget(score: 60)))
        #expect(result.size == PixelSize(width: Self.size.height, height: Self.size.width))
        #expect(result.score ?? 0 >= 60)
    }

    /// JPEG to JPEG, which would otherwise take the planar route.
    @Test func planesBecomePixels() throws {
        let source = try Input.source(try image(), .jpeg)
        let plan = try source.plan(recipe(EncodingTarget(byteLimit: 3000)).resizing(width: 80))
        #expect(plan.route == .streaming)
        var rotated = recipe(EncodingTarget(byteLimit: 3000), nil).rotating(by: 90)
        rotated.output.compresses = false
        #expect(try source.plan(rotated).route == .buffered)
        #expect(try source.processed(rotated).bytes.count <= 3000)
    }

    @Test func transparentImagesAreComparedOnTheirBackground() throws {
        let image = try PixelBuffer.random(width: 80, height: 60, alphaMode: .straight)
        let source = try Input.source(image)
        let result = try source.processed(recipe(EncodingTarget(score: 50)))
        let flat = try image.flattened(on: .white)
        #expect(try result.score == result.image.ssimulacra2(against: flat))
    }

    @Test func whatFitsAlreadyIsKept() throws {
        let source = try Input.source(try image(), .jpeg)
        let kept = try source.processed(recipe(EncodingTarget(byteLimit: 1_000_000)))
        #expect(kept.isKept && kept.score == nil)
        // No encoding is as similar to the original as the original itself.
        let best = try source.processed(recipe(EncodingTarget(score: 99.99)))
        #expect(best.isKept && best.score == 100)
        #expect(throws: TexelError.self) {
            try source.processed(recipe(EncodingTarget(score: 99.99)).resizing(width: 80))
        }
    }

    @Test func progressEndsAtTheEnd() throws {
        let source = try Input.source(try image())
        let recipe = recipe(EncodingTarget(score: 70))
        let counter = RowCounter()
        _ = try source.plan(recipe).file(RouteContext(source, rowCounter: counter))
        #expect(counter.progress.fraction == 1)
    }

    @Test func threadsDoNotChangeTheFile() throws {
        let source = try Input.source(try image())
        let recipe = recipe(EncodingTarget(score: 70))
        let plan = try source.plan(recipe)
        let alone = try plan.file(RouteContext(source))
        #expect(try plan.file(RouteContext(source, parallelism: { 4 })).bytes == alone.bytes)
    }
}
