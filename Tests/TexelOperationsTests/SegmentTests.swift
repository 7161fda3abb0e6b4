import TestSupport
import Testing
import TexelOperations
import TexelPixels

/// Steps that are carried out together, in bands, on several threads, or on rows that arrive one by one, give what they
/// give one after the other.
@Suite struct SegmentTests {
    /// An image, random steps for it, and what they give one after the other.
    private struct Example {
        let image: PixelBuffer
        var steps: [any RowStep] = []
        var expected: PixelBuffer

        /// - Parameter heights: the image is higher than a band, so that there are several.
        init(seed: UInt64, heights: ClosedRange<Int> = 90...300) throws {
            var generator = SeededGenerator(seed: seed)
            let size = PixelSize(
                width: Int.random(in: 1...9, using: &generator), height: Int.random(in: heights, using: &generator))
            let noise = try PixelBuffer.noise(size, alphaMode: seed % 3 == 0 ? .opaque : .straight, seed: seed)
            image = seed % 3 == 2 ? try noise.premultiplied() : noise
            expected = image
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                guard let operation = StepTests.operations(expected.size).randomElement(using: &generator),
                    (expected.size.pixelCount ?? .max) < 5000
                else { break }
                for step in try operation.value.steps(for: expected.size, background: StepTests.background) {
                    steps.append(step)
                    try step.apply(to: &expected)
                }
            }
        }

        var segments: [StepSegment] {
            StepSegment.segments(of: steps, for: RasterShape(size: image.size, alphaMode: image.alphaMode))
        }
    }

    @Test(arguments: 0..<60, [1, 3]) func segmentsAreTheirSteps(seed: UInt64, threads: Int) throws {
        let example = try Example(seed: seed)
        var result = example.image
        for segment in example.segments { try segment.apply(to: &result, threads: threads, smallestShare: 64) }
        #expect(result == example.expected, "seed \(seed): \(example.steps.map(\.summary))")
    }

    @Test(arguments: 0..<120) func rowsThatArriveGiveTheSame(seed: UInt64) throws {
        let example = try Example(seed: seed)
        guard let segment = example.segments.first, example.segments.count == 1, segment.readsInOrder else { return }
        let stream = try SegmentStream(segment)
        var result = try PixelBuffer(
            width: segment.result.size.width, height: segment.result.size.height, filledWith: 0x1234_5678,
            alphaMode: segment.result.alphaMode)
        result.updateRaster(to: result.alphaMode) { destination in
            example.image.withRaster { source in
                for y in 0..<source.size.height {
                    stream.nextRow().copyMemory(
                        from: source.row(y), byteCount: source.size.width * PixelBuffer.bytesPerPixel)
                    stream.take()
                    while stream.hasReadyBand {
                        stream.runBand(into: destination)
                        #expect(stream.finishedRows > 0)
                    }
                }
            }
        }
        #expect(result == example.expected, "seed \(seed): \(example.steps.map(\.summary))")
    }

    /// Some of the examples above can be streamed, with fewer rows in memory than the image has.
    @Test func windowsAreStreamed() throws {
        let size = PixelSize(width: 8, height: 1000)
        let shape = RasterShape(size: size, alphaMode: .opaque)
        func segments(_ operations: [PixelOperation]) throws -> [StepSegment] {
            let steps = try operations.flatMap { try $0.value.steps(for: size, background: .white) }
            return StepSegment.segments(of: steps, for: shape)
        }
        let local = try segments([.sharpen(amount: 1), .negate, .blur(sigma: 3)])
        #expect(local.count == 1 && SegmentStream.savesMemory(with: local[0]))
        let flipped = try segments([.flip(.vertical)])
        #expect(flipped.count == 1 && !flipped[0].readsInOrder)
        let turned = try segments([.negate, .rotate(degrees: 5), .negate])
        #expect(turned.count == 2 && turned[0].readsInOrder && !turned[1].readsInOrder)
    }
}
