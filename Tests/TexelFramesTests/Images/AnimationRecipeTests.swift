import TestSupport
import Testing
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelFrames
@testable import TexelJPEG
@testable import TexelPNG
@testable import TexelPipeline

/// Recipes on animated PNGs: all frames are kept, one is chosen, or the file is refused.
@Suite struct AnimationRecipeTests {
    private static let canvas = PixelSize(width: 19, height: 13)

    private func animation(hidesDefault: Bool = false) throws -> AnimatedPNG {
        var frames = try (0..<4).map { index in
            AnimatedPNG.Frame(
                image: try .make(width: 19 - 3 * index, height: 13 - 2 * index, alphaMode: .straight) { x, y in
                    UInt32(255 - x * 5) << 24 | UInt32(x * 9) << 16 | UInt32(y * 9) << 8 | UInt32(index * 60)
                },
                x: index, y: 2 * index, delay: (index, 30), disposal: index == 2 ? .previous : .none,
                blending: index % 2 == 0 ? .source : .over)
        }
        frames[0].delay = (7, 100)
        var animation = AnimatedPNG(canvas: Self.canvas, frames: frames, plays: 3, parts: 3)
        // Poorly compressed, so that recompression saves bytes.
        animation.options = PNGOptions(level: 1, filter: .unfiltered, reducesLosslessly: false)
        if hidesDefault {
            animation.defaultImage = try PixelBuffer.random(width: 19, height: 13, alphaMode: .straight)
        }
        return animation
    }

    private func processed(
        _ bytes: [UInt8], _ recipe: Recipe, _ strictness: Strictness = .truncated
    ) throws -> EncodedImage {
        let source = try CodecRegistry.shared.open(InputBytes(bytes))
        let plan = try Planner.plan(
            recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format))
        return try plan.file(RouteContext(source, policy: DecodePolicy(strictness: strictness)))
    }

    private func frames(_ bytes: [UInt8]) throws -> [SeenFrame] {
        try AnimationSource(InputBytes(bytes)).seenFrames()
    }

    @Test(arguments: [false, true], Effort.allCases) func compressingKeepsAllFrames(
        hidesDefault: Bool, effort: Effort
    ) throws {
        let bytes = try animation(hidesDefault: hidesDefault).bytes()
        let result = try processed(bytes, Recipe().encoding(as: nil, effort: effort))
        #expect(result.route == .recompress && !result.isKept && result.bytes.count < bytes.count)
        #expect(result.warnings == [])
        let (before, after) = try (frames(bytes), frames(result.bytes))
        #expect(after.count == 4)
        #expect(before == after)
        let plays = try [bytes, result.bytes].map { try PNGAnimation(InputBytes($0))?.playCount }
        #expect(plays == [3, 3])
        let images = try [bytes, result.bytes].map {
            try CodecRegistry.shared.open(InputBytes($0)).decodedAsStored().image.pixels
        }
        #expect(images[0] == images[1])
    }

    /// One frame and a separate default image are two images; a default image that is the only frame is one.
    @Test func animationsOfOneFrame() throws {
        var animation = try animation(hidesDefault: true)
        animation.frames.removeLast(3)
        let bytes = try animation.bytes()
        let rotated = try processed(bytes, Recipe().rotating(by: 90))
        #expect(rotated.route == .animated)
        #expect(rotated.warnings == ["the default image, which is not a frame of the animation, was dropped"])
        let result = try processed(bytes, Recipe())
        #expect(result.route == .recompress)
        #expect(try frames(result.bytes) == frames(bytes))
        let images = try [bytes, result.bytes].map {
            try CodecRegistry.shared.open(InputBytes($0)).decodedAsStored().image.pixels
        }
        #expect(images[0] == images[1])
        animation.defaultImage = nil
        let still = try processed(try animation.bytes(), Recipe())
        #expect(try CodecRegistry.shared.open(InputBytes(still.bytes)).info.isAnimation == false)
        #expect(still.route == .buffered)
    }

    @Test func aFormatOfOneImageIsRefused() throws {
        let bytes = try animation().bytes()
        #expect(throws: TexelError.animated(frames: 4)) {
            try processed(bytes, Recipe().encoding(as: .jpeg))
        }
        var recipe = Recipe().resizing(width: 9)
        recipe.output.target.byteLimit = 1000
        #expect(throws: TexelError.unsupported("a search for the size or the score of an animation")) {
            try processed(bytes, recipe)
        }
    }

    /// Every frame of a rotated animation is the rotated frame, and the timing stays.
    @Test(arguments: [false, true]) func everyFrameIsProcessed(hidesDefault: Bool) throws {
        let bytes = try animation(hidesDefault: hidesDefault).bytes()
        let result = try processed(bytes, Recipe().rotating(by: 90))
        #expect(result.route == .animated)
        #expect(result.warnings.isEmpty == !hidesDefault)
        let (before, after) = (
            try #require(try PNGAnimation(InputBytes(bytes))), try #require(try PNGAnimation(InputBytes(result.bytes)))
        )
        #expect(after.playCount == before.playCount)
        #expect(after.frames.map(\.delay.seconds) == before.frames.map(\.delay.seconds))
        for index in before.frames.indices {
            let (own, moved) = try (frame(index, of: bytes), frame(index, of: result.bytes))
            #expect(moved.size == PixelSize(width: own.height, height: own.width))
            for y in 0..<own.height {
                for x in 0..<own.width {
                    let (pixel, other) = (own[x, y], moved[own.height - 1 - y, x])
                    #expect(pixel == other || pixel >> 24 == 0 && other >> 24 == 0, "frame \(index), (\(x), \(y))")
                }
            }
        }
        let small = try processed(bytes, Recipe().resizing(width: 9))
        #expect(try PNGAnimation(InputBytes(small.bytes))?.frames.count == 4)
        #expect(small.size.width == 9)
    }

    private func frame(_ index: Int, of bytes: [UInt8]) throws -> PixelBuffer {
        var options = DecodeOptions()
        options.frame = index
        return try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored(options).image
    }

    @Test func oneFrameIsChosen() throws {
        let animation = try animation(hidesDefault: true)
        let (bytes, expected) = (try animation.bytes(), animation.expectedFrames())
        for (index, pixels) in expected.enumerated() {
            var recipe = Recipe()
            recipe.frame = index
            let result = try processed(bytes, recipe)
            let source = try CodecRegistry.shared.open(InputBytes(result.bytes))
            #expect(source.info.frameCount == 1)
            // Colours of fully transparent pixels may differ.
            let found = try source.decodedAsStored().image.pixels
            #expect(zip(found, pixels).allSatisfy { $0 == $1 || $0 >> 24 == 0 && $1 >> 24 == 0 }, "frame \(index)")
        }
        var recipe = Recipe()
        recipe.frame = 4
        #expect(throws: TexelError.missingFrame(4, count: 4)) { try processed(bytes, recipe) }
    }

    @Test func severalResultsOfDifferentFrames() async throws {
        let animation = try animation()
        let (bytes, expected) = (try animation.bytes(), animation.expectedFrames())
        let pipeline = ImagePipeline()
        let recipes = (0..<4).map { index in
            var recipe = Recipe()
            recipe.frame = index
            return recipe
        }
        let images = try await pipeline.images(for: ImageRequest(BytesSource(bytes)), recipes: recipes)
        for (image, pixels) in zip(images, expected) { #expect(image.pixels == pixels) }
    }

    /// A file without all of its frames is refused, as one without all rows is. If damage is accepted, the result has
    /// the frames that are there.
    @Test func filesWithoutAllFramesAreRefused() throws {
        var animation = try animation()
        animation.declaredFrames = 7
        let bytes = try animation.bytes()
        #expect(throws: TexelError.self) { try processed(bytes, Recipe()) }
        let left = try processed(bytes, Recipe(), .none)
        #expect(try CodecRegistry.shared.open(InputBytes(left.bytes)).info.frameCount == 4)
        for (index, expected) in animation.expectedFrames().enumerated() {
            var recipe = Recipe()
            recipe.frame = index
            let image = try PixelBuffer(from: InputBytes(left.bytes), recipe, policy: DecodePolicy())
            #expect(image.pixels == expected)
        }
    }
}
