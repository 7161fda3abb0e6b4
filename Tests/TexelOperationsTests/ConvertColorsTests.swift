import Synchronization
import TestSupport
import Testing
import TexelOperations
import TexelPixels

/// Colours are converted row by row.
@Suite struct ConvertColorsTests {
    /// Source and target of a conversion: by one transform, by two, by tables, by tone mapping, and of no samples.
    private static func spaces() throws -> [(ColorSpace, ColorSpace)] {
        func points(_ primaries: Int, _ transfer: Int, isFullRange: Bool = true) throws -> ColorSpace {
            .codePoints(
                try #require(CICP(primaries: primaries, transfer: transfer, isFullRange: isFullRange)))
        }
        let gray = ColorSpace.iccProfile(try grayProfile(gamma: 1.8))
        let calibration = Calibration(gamma: 50_000, chromaticities: nil)
        return [
            (.displayP3, .sRGB), (.sRGB, .displayP3), (.displayP3, try points(9, 13)),
            (.calibrated(calibration), .sRGB),
            (gray, .sRGB), (gray, .displayP3), (try points(9, 16), .sRGB), (try points(9, 18), .displayP3),
            (try points(1, 13, isFullRange: false), .sRGB), (try points(12, 13, isFullRange: false), .displayP3),
            (try points(9, 16, isFullRange: false), .sRGB), (.sRGB, try points(1, 13)),
        ]
    }

    private static func image(
        _ size: PixelSize, _ alphaMode: AlphaMode, _ colorSpace: ColorSpace
    ) throws -> PixelBuffer {
        var image = try PixelBuffer.noise(size, alphaMode: alphaMode == .opaque ? .opaque : .straight, seed: 7)
        if alphaMode == .premultiplied { image.premultiply() }
        image.colorSpace = colorSpace
        return image
    }

    private static func segment(_ steps: [any RowStep], _ image: PixelBuffer) throws -> StepSegment {
        let shape = RasterShape(size: image.size, alphaMode: image.alphaMode)
        let segments = StepSegment.segments(of: steps, for: shape)
        #expect(segments.count == 1)
        return try #require(segments.first)
    }

    /// In any bands, on any number of threads, in place or not, and as rows arrive.
    @Test(arguments: [AlphaMode.opaque, .straight, .premultiplied])
    func bandsAndThreadsGiveTheSameBytes(alphaMode: AlphaMode) throws {
        for (source, target) in try Self.spaces() {
            let image = try Self.image(PixelSize(width: 7, height: 301), alphaMode, source)
            let expected = try image.converted(to: target)
            let step = ConvertColors(from: source, to: target)
            #expect(step.colorSpace(of: source) == target)
            var whole = image
            try step.apply(to: &whole)
            #expect(whole == expected, "\(source.name) → \(target.name)")
            let segment = try Self.segment([step], image)
            for threads in [1, 2, 5] {
                var (shared, own) = (image, image)
                own.updateRaster(to: alphaMode) { _ in }
                try segment.apply(to: &shared, threads: threads, smallestShare: 64)
                try segment.apply(to: &own, threads: threads, smallestShare: 64)
                #expect(shared.pixels == expected.pixels && own.pixels == expected.pixels, "\(threads) threads")
            }
            let stream = try SegmentStream(segment)
            var streamed = image
            streamed.updateRaster(to: alphaMode) { destination in
                image.withRaster { source in
                    for y in 0..<source.size.height {
                        stream.nextRow().copyMemory(from: source.row(y), byteCount: source.size.width * 4)
                        stream.take()
                        while stream.hasReadyBand { stream.runBand(into: destination) }
                    }
                }
            }
            #expect(streamed.pixels == expected.pixels)
        }
    }

    /// Steps before and after a conversion share its pass.
    @Test func conversionsJoinOtherSteps() throws {
        let image = try Self.image(PixelSize(width: 9, height: 500), .straight, .displayP3)
        let convert = ConvertColors(from: .displayP3, to: .sRGB)
        let blur = try PixelOperation.blur(sigma: 2).value.steps(for: image.size, background: .white)
        var expected = image
        for step in [convert] + blur { try step.apply(to: &expected) }
        var result = image
        #expect(StepGroup.groups(of: [convert] + blur).count == 1)
        try result.apply([convert] + blur, threads: 2)
        #expect(result == expected && result.colorSpace == .sRGB)
        #expect(SegmentStream.savesMemory(with: try Self.segment([convert] + blur, image)))
    }

    /// A label takes no pass.
    @Test func labelsChangeNoPixel() throws {
        let colors = ColorSpace.calibrated(Calibration(gamma: 45_000, chromaticities: nil))
        let label = ConvertColors(from: .sRGB, to: .sRGB)
        var image = try Self.image(PixelSize(width: 3, height: 4), .premultiplied, colors)
        let pixels = image.pixels
        let shape = RasterShape(size: image.size, alphaMode: image.alphaMode)
        #expect(label.changesNothing(.straight) && StepSegment.segments(of: [label], for: shape).isEmpty)
        try image.apply([label], threads: 1)
        #expect(image.pixels == pixels && image.colorSpace == .sRGB)
    }

    /// The rows after the band in which a stop is noticed stay as they are.
    @Test func aStopEndsTheConversion() throws {
        let image = try Self.image(PixelSize(width: 4, height: 4000), .opaque, .displayP3)
        let segment = try Self.segment([ConvertColors(from: .displayP3, to: .sRGB)], image)
        var result = image
        result.updateRaster(to: .opaque) { _ in }
        let polls = Atomic(0)
        try segment.apply(to: &result, threads: 1) { polls.wrappingAdd(1, ordering: .relaxed).oldValue > 0 }
        let (source, converted) = (image.pixels, try image.convertedToSRGB().pixels)
        let changed = 4 * 8 * segment.bandHeight
        #expect(changed < source.count / 2)
        #expect(result.pixels == Array(converted[..<changed]) + Array(source[changed...]))
    }

    /// Rows in memory do not depend on the height.
    @Test func memoryDoesNotGrowWithTheHeight() throws {
        let held = [1000, 100_000].map { height in
            let shape = RasterShape(size: PixelSize(width: 5, height: height), alphaMode: .opaque)
            return StepSegment.segments(of: [ConvertColors(from: .displayP3, to: .sRGB)], for: shape)
                .map(SegmentStream.heldRows)
        }
        #expect(held[0] == held[1] && held[0].count == 1)
    }
}
