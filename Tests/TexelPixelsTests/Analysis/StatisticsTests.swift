import Foundation
import TestSupport
import Testing

@testable import TexelMetrics
@testable import TexelPixels

/// Histograms, statistics and dominant colours.
@Suite struct StatisticsTests {
    private static let modes: [AlphaMode] = [.opaque, .straight, .premultiplied]

    /// Counts pixel by pixel.
    private func expected(_ image: PixelBuffer) throws -> ImageHistogram {
        var histogram = ImageHistogram()
        for pixel in try image.unpremultiplied().pixels {
            histogram.alpha[Int(pixel >> 24)] += 1
            if pixel >> 24 == 0 { continue }
            let (red, green, blue) = (Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
            histogram.red[red] += 1
            histogram.green[green] += 1
            histogram.blue[blue] += 1
            histogram.luma[(19595 * red + 38470 * green + 7471 * blue + 32768) / 65536] += 1
        }
        return histogram
    }

    @Test(arguments: modes, awkwardSizes + [PixelSize(width: 5, height: 200)])
    func histogramCountsEveryPixel(mode: AlphaMode, size: PixelSize) throws {
        let image = try PixelBuffer.random(width: size.width, height: size.height, alphaMode: mode)
        let expected = try expected(image)
        for threads in [1, 3] { #expect(try image.histogram(threads: threads) == expected) }
        #expect(expected.pixelCount == size.width * size.height)
    }

    @Test func histogramIgnoresPadding() throws {
        let image = try PixelBuffer.random(width: 9, height: 6, alphaMode: .straight)
        let part = try image.cropped(to: PixelRectangle(x: 2, y: 1, width: 5, height: 4))
        let copy = try PixelBuffer(width: 5, height: 4, pixels: part.pixels, alphaMode: .straight)
        #expect(try part.histogram() == copy.histogram())
    }

    @Test func transparentPixelsHaveNoColor() throws {
        let image = try PixelBuffer.make(width: 4, height: 1, alphaMode: .straight) { x, _ in
            [0x00FF_FFFF, 0xFF00_0000, 0x8064_0000, 0xFF00_0000][x]
        }
        let statistics = try image.statistics()
        #expect(statistics.red?.mean == 100.0 / 3 && statistics.red?.maximum == 100)
        #expect(statistics.green?.maximum == 0 && statistics.alpha.minimum == 0)
        #expect(!statistics.isOpaque)
        let nothing = try PixelBuffer(width: 3, height: 2, filledWith: 0, alphaMode: .straight)
        let none = try nothing.statistics()
        #expect(none.red == nil && none.luma == nil && none.lumaEntropy == 0 && none.alpha.mean == 0)
        #expect(try nothing.dominantColors().isEmpty)
    }

    @Test(arguments: modes) func statisticsAreThoseOfTheSamples(mode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: 37, height: 23, alphaMode: mode)
        let visible = try image.unpremultiplied().pixels.filter { $0 >> 24 > 0 }
        let samples = visible.map { Double($0 >> 8 & 255) }
        let mean = samples.reduce(0, +) / Double(samples.count)
        let variance = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(samples.count)
        let green = try #require(try image.statistics().green)
        #expect(abs(green.mean - mean) < 1e-9 && abs(green.standardDeviation - variance.squareRoot()) < 1e-9)
        #expect(Double(green.minimum) == samples.min() && Double(green.maximum) == samples.max())
        #expect(try image.statistics().isOpaque == (mode == .opaque))
    }

    /// 2ⁿ shades that are equally frequent have an entropy of n bits.
    @Test(arguments: 0...8) func equallyFrequentShadesHaveTheirNumberOfBits(bits: Int) throws {
        let image = try PixelBuffer.make(width: 256, height: 2) { x, _ in
            0xFF00_0000 | UInt32(x % (1 << bits)) * 0x01_0101
        }
        #expect(abs(try image.statistics().lumaEntropy - Double(bits)) < 1e-9)
    }

    @Test func dominantColorsOfFewColorsAreExact() throws {
        let colors: [UInt32] = [0xFFE0_2010, 0xFF10_20E0, 0xFFFF_FFFF]
        // Shares of 1/2, 1/4 and 1/4.
        let image = try PixelBuffer.make(width: 8, height: 8) { x, _ in colors[x < 4 ? 0 : x < 6 ? 1 : 2] }
        let found = try image.dominantColors()
        #expect(found.map(\.share) == [0.5, 0.25, 0.25])
        #expect(found.map(\.color.pixel) == [0xFFE0_2010, 0xFF10_20E0, 0xFFFF_FFFF])
        #expect(try image.dominantColors(1).count == 1)
        #expect(try image.dominantColors(-3).count == 1 && image.dominantColors(.max).count == 3)
    }

    @Test(arguments: modes) func sharesSumToOne(mode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: 61, height: 47, alphaMode: mode)
        for count in [1, 2, 5, 64] {
            let found = try image.dominantColors(count)
            #expect(found.count <= count && !found.isEmpty)
            #expect(abs(found.reduce(0) { $0 + $1.share } - 1) < 1e-9)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.share >= $1.share })
            #expect(try image.dominantColors(count) == found)
        }
    }
}
