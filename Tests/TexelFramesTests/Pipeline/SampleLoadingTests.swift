import TestSupport
import Testing
import TexelCodecs
import TexelOperations
import TexelPipeline
import TexelPixels

@testable import TexelFrames

/// Samples of every meaning through the loaders of frames: converted, cropped and resized.
@Suite("Sample loading")
struct SampleLoadingTests {
    /// Renders samples of a format by operations.
    private func render(
        _ format: YUVFormat, _ color: YUVColor, _ size: PixelSize, _ samples: [UInt8],
        _ operations: [PixelOperation] = []
    ) throws -> (shape: RasterShape, pixels: [UInt8]) {
        let layout = SampleLayout(.yuv(format, color), size)
        try #require(try layout.byteCount == samples.count)
        var recipe = Recipe()
        recipe.operations = operations
        let plan = try RenderPlan(recipe, for: .samples(layout), limits: Limits())
        let shape = plan.shape
        let bytesPerRow = shape.size.width * PixelBuffer.bytesPerPixel
        var pixels = [UInt8](repeating: 0x5A, count: shape.size.height * bytesPerRow)
        try samples.withUnsafeBytes { source in
            try pixels.withUnsafeMutableBytes { destination in
                try plan.render(
                    .memory(try #require(source.baseAddress)), frame: 0,
                    into: Raster(
                        base: try #require(destination.baseAddress), bytesPerRow: bytesPerRow, size: shape.size,
                        alphaMode: shape.alphaMode))
            }
        }
        return (shape, pixels)
    }

    /// Samples of planes of one value each, as 8 bits; samples of 10 bits are four times as large.
    private func solid(_ format: YUVFormat, _ size: PixelSize, _ values: [Int]) -> [UInt8] {
        (0..<format.planeCount).flatMap { plane in
            let area = format.planeSize(plane, of: size)
            return (0..<(area.width * area.height)).flatMap { index in
                let value =
                    plane == format.alphaPlane
                    ? values[3] : plane > 0 && format.isInterleaved ? values[1 + index % 2] : values[plane]
                return format.bytesPerSample == 1
                    ? [UInt8(value)] : [UInt8((value * 4) & 255), UInt8((value * 4) >> 8)]
            }
        }
    }

    private static let half = PixelOperation.resize(
        ResizeOptions(ResizeRule(.scale(numerator: 1, denominator: 2)), filter: .lanczos3))
    private static let size = PixelSize(width: 40, height: 24)

    static let formats = ChromaSampling.allCases.flatMap { sampling in
        [8, 10].flatMap { depth in
            (sampling == .none ? [false] : [false, true]).flatMap { isInterleaved in
                [false, true].map {
                    YUVFormat(sampling, isInterleaved: isInterleaved, bitDepth: depth, hasAlpha: $0)
                }
            }
        }
    }

    @Test("A solid image has one colour, however it is loaded", arguments: formats)
    func solidImagesHaveOneColor(format: YUVFormat) throws {
        let colors = [
            YUVColor(.bt709, .limited), YUVColor(.ycgco, .limited), YUVColor(.ycgco, .full),
            YUVColor(.bt2020, .limited, codePoints: CICP(primaries: 9, transfer: 16)),
            YUVColor(.bt709, .limited, codePoints: CICP(primaries: 12, transfer: 13)),
        ]
        let crop = PixelOperation.crop(PixelRectangle(x: 3, y: 5, width: 20, height: 11))
        for color in colors {
            let samples = solid(format, Self.size, [120, 134, 122, 200])
            let first = Array(try render(format, color, Self.size, samples).pixels.prefix(4))
            // 800 of 1023 is 199.4 of 255.
            #expect(first[3] == (format.hasAlpha ? (format.bitDepth == 8 ? 200 : 199) : 255))
            for operations in [[], [crop], [Self.half], [crop, Self.half]] {
                let (shape, pixels) = try render(format, color, Self.size, samples, operations)
                #expect(shape.alphaMode == (format.hasAlpha ? .straight : .opaque))
                // Straight alpha is multiplied and divided when pixels are filtered.
                let tolerance = format.hasAlpha && !operations.isEmpty ? 1 : 0
                let isSame = pixels.indices.allSatisfy { abs(Int(pixels[$0]) - Int(first[$0 % 4])) <= tolerance }
                #expect(isSame, "\(format), \(color), \(operations.count) operations")
            }
        }
    }

    @Test("Transparent colours do not bleed into others when a frame is resized", arguments: [8, 10])
    func alphaAndFilters(bitDepth: Int) throws {
        let format = YUVFormat(.yuv444, bitDepth: bitDepth, hasAlpha: true)
        var samples = solid(format, Self.size, [235, 128, 128, 255])
        // The right half is transparent black.
        let bytes = format.bytesPerSample
        for y in 0..<Self.size.height {
            for x in Self.size.width / 2..<Self.size.width {
                let place = (y * Self.size.width + x) * bytes
                samples.replaceSubrange(place..<place + bytes, with: bytes == 1 ? [16] : [64, 0])
                let alpha = format.planeOffset(3, of: Self.size) + place
                samples.replaceSubrange(alpha..<alpha + bytes, with: [UInt8](repeating: 0, count: bytes))
            }
        }
        let pixels = try render(format, YUVColor(.bt601, .limited), Self.size, samples, [Self.half]).pixels
        var visible = 0
        for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] > 16 {
            visible += 1
            #expect(pixels[index...index + 2].allSatisfy { $0 >= 250 }, "pixel \(index / 4)")
        }
        #expect(visible >= pixels.count / 8)
    }
}
