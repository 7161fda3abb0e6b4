import TestSupport
import Testing

@testable import TexelFilters
@testable import TexelPixels

/// The box blur, the unsharp mask and the median against slow versions.
@Suite struct FilterTests {
    private static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 14), PixelSize(width: 23, height: 1),
        PixelSize(width: 37, height: 19),
    ]

    /// Computes each sample of each channel from the samples of the window around it, row by row.
    private static func windows(
        _ image: PixelBuffer, radius: Int, _ value: ([UInt32]) -> UInt32
    ) throws -> PixelBuffer {
        try .make(width: image.width, height: image.height, alphaMode: image.alphaMode) { x, y in
            [0, 8, 16, 24].reduce(0) { pixel, shift in
                var samples: [UInt32] = []
                for v in (y - radius)...(y + radius) {
                    for u in (x - radius)...(x + radius) {
                        let place = (min(max(u, 0), image.width - 1), min(max(v, 0), image.height - 1))
                        samples.append(image[place.0, place.1] >> UInt32(shift) & 255)
                    }
                }
                return pixel | value(samples) << UInt32(shift)
            }
        }
    }

    @Test(arguments: sizes, [AlphaMode.opaque, .straight, .premultiplied])
    func boxesAreMeans(size: PixelSize, alphaMode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: size.width, height: size.height, alphaMode: alphaMode, seed: 94)
        for radius in [1, 2, 7] {
            let filter = try BoxFilter(radius: radius, for: RasterShape(size: size, alphaMode: alphaMode))
            let result = try image.filtered { filter.run(rows: $0, from: $1, to: $2) }
            let expected = try Self.windows(image.premultiplied(), radius: radius) {
                ($0.reduce(0, +) + UInt32($0.count / 2)) / UInt32($0.count)
            }
            #expect(result == (alphaMode == .straight ? try expected.unpremultiplied() : expected), "\(radius)")
        }
    }

    @Test func largestBoxKeepsConstants() throws {
        let image = try PixelBuffer(width: 9, height: 4, filledWith: 0xFFFF_FE01, alphaMode: .opaque)
        let filter = try BoxFilter(
            radius: BoxFilter.largestRadius, for: RasterShape(size: image.size, alphaMode: .opaque))
        #expect(try image.filtered { filter.run(rows: $0, from: $1, to: $2) } == image)
    }

    @Test(arguments: sizes, [AlphaMode.opaque, .straight, .premultiplied])
    func mediansAreInTheMiddle(size: PixelSize, alphaMode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: size.width, height: size.height, alphaMode: alphaMode, seed: 95)
        for side in [3, 5, 7, 9] {
            let filter = try MedianFilter(size: side, for: RasterShape(size: size, alphaMode: alphaMode))
            let result = try image.filtered { filter.run(rows: $0, from: $1, to: $2) }
            let expected = try Self.windows(image.premultiplied(), radius: side / 2) { $0.sorted()[$0.count / 2] }
            #expect(result == (alphaMode == .straight ? try expected.unpremultiplied() : expected), "\(side)")
        }
    }

    private static func sharpened(
        _ image: PixelBuffer, _ sigma: Double, amount: Double, threshold: Int
    ) throws -> PixelBuffer {
        let blur = try #require(GaussianBlur(sigma: sigma))
        let filter = try SharpenFilter(
            blur, amount: amount, threshold: threshold,
            for: RasterShape(size: image.size, alphaMode: image.alphaMode))
        return try image.filtered { filter.run(rows: $0, from: $1, to: $2) }
    }

    /// The definition, for opaque images: clamp(p + amount × (p − blurred)) if |p − blurred| reaches the threshold.
    @Test(arguments: [0.5, 1, 2.25, 10], [0, 1, 40, 255]) func differencesAreAdded(amount: Double, threshold: Int)
        throws
    {
        for (size, sigma) in zip(Self.sizes, [1, 0.6, 5, 2]) {
            let image = try PixelBuffer.random(width: size.width, height: size.height, seed: 96)
            let blurred = try BlurFilterTests.blurred(image, sigma)
            let result = try Self.sharpened(image, sigma, amount: amount, threshold: threshold)
            #expect(result.isOpaque)
            for shift: UInt32 in [0, 8, 16] {
                let (pixels, means) = (image.samples(shift), blurred.samples(shift))
                let expected = zip(pixels, means).map { pixel, mean in
                    abs(pixel - mean) < threshold
                        ? pixel
                        : min(255, max(0, Int((Double(pixel) + amount * Double(pixel - mean) + 0.5).rounded(.down))))
                }
                #expect(result.samples(shift) == expected, "\(size)")
            }
        }
    }

    @Test func alphaAndConstantsStay() throws {
        let straight = try PixelBuffer.random(width: 33, height: 18, alphaMode: .straight, seed: 97)
        let result = try Self.sharpened(straight, 1.5, amount: 4, threshold: 0)
        #expect(result.samples(24) == straight.samples(24) && result != straight)
        // A premultiplied image is sharpened as the straight one that it stands for.
        let premultiplied = try straight.premultiplied()
        let expected = try Self.sharpened(premultiplied.unpremultiplied(), 1.5, amount: 4, threshold: 0).premultiplied()
        #expect(try Self.sharpened(premultiplied, 1.5, amount: 4, threshold: 0) == expected)
        // The edge of alpha is not an edge of the colour; the blurred colours are only rounded.
        let shape = try PixelBuffer.make(width: 30, height: 20, alphaMode: .straight) { x, y in
            (x < 13 && y > 4 ? 0xFF00_0000 : 0) | 0x80_6040
        }
        #expect(largestVisibleDifference(try Self.sharpened(shape, 2, amount: 1, threshold: 0), shape) <= 1)
        let constant = try PixelBuffer(width: 12, height: 5, filledWith: 0xFF12_80F0, alphaMode: .opaque)
        #expect(try Self.sharpened(constant, 6, amount: 10, threshold: 0) == constant)
    }
}
