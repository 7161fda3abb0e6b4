import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelOperations
import TexelPipeline
import TexelPixels

@testable import TexelFrames

/// Large frames, which several threads share.
@Suite("Shared frames")
struct SharedFrameTests {
    private static let size = PixelSize(width: 2050, height: 1027)

    private static let recipes: [[PixelOperation]] = [
        [], [.brightness(1.2), .contrast(0.8)], [.round(.pixels(40)), .brightness(0.9)], [.flip(.horizontal)],
        [.brightness(1.2), .normalize()], [.brightness(1.2), .blur(sigma: 2)],
        [.crop(PixelRectangle(x: 1, y: 1, width: 2048, height: 1026)), .sepia(0.7)],
    ]

    @Test("Frames do not depend on the number of threads that share them", arguments: recipes.indices)
    func threadCountDoesNotChangeFrames(index: Int) throws {
        let directory = try TemporaryDirectory()
        let layout = SampleLayout(.yuv(.i420, YUVColor(.bt601, .limited)), Self.size)
        let byteCount = try layout.byteCount
        let file = FilePath(try directory.add("raw", noise(2 * byteCount, seed: 12)))
        var recipe = Recipe()
        recipe.operations = Self.recipes[index]
        func images(workers: Int) throws -> [PixelBuffer] {
            let images = Monitor<[PixelBuffer]>([])
            let sink = HandlerSink { frame in
                let image = try frame.pixelBuffer()
                images.withLock { $0.append(image) }
            }
            var options = FramePipelineOptions()
            options.policy = .block
            options.workers = workers
            let source = try RawVideoSource(.file(file), layout: layout)
            try FramePipeline(from: source, recipe, into: sink, options: options).start().wait()
            return images.withLock { $0 }
        }
        let alone = try images(workers: 1)
        #expect(alone.count == 2)
        #expect(try images(workers: 2) == alone)
        #expect(try images(workers: 5) == alone)
    }

    @Test("Steps in rows of the frame are shared, others are not")
    func onlyStepsInRowsAreShareable() throws {
        let shared = try Self.recipes.map { operations in
            var recipe = Recipe()
            recipe.operations = operations
            let input = RenderPlan.Input.samples(SampleLayout(.yuv(.i420, YUVColor(.bt601, .limited)), Self.size))
            return try RenderPlan(recipe, for: input, limits: Limits()).isShareable
        }
        #expect(shared == [true, true, true, false, false, false, true])
    }
}
