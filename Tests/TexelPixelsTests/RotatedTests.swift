import Foundation
import TestSupport
import TexelCore
import TexelPixels
import Testing

private let angles = [0.001, 1, 17, 45, 89.9, 120, -30, 195.5, 300, 765]

@Suite struct RotatedTests {
    private let white = PixelColor.white

    // MARK: Exact turns

    @Test(arguments: awkwardSizes)
    func multiplesOf90AreExactMoves(size: PixelSize) throws {
        for mode in [AlphaMode.opaque, .straight, .premultiplied] {
            let image = try PixelBuffer.noise(size, alphaMode: mode)
            #expect(try image.rotated(by: 0) == image)
            #expect(try image.rotated(by: 360) == image)
            #expect(try image.rotated(by: 450) == image.oriented(.rotated90))
            #expect(try image.rotated(by: -180) == image.oriented(.rotated180))
            #expect(try image.rotated(by: -90, background: white) == image.oriented(.rotated270))
            #expect(try image.rotated(by: 90).rotated(by: 90).rotated(by: 90).rotated(by: 90) == image)
        }
    }

    /// The sampler close to the exact moves: a tiny deviation from a quarter turn gives the same pixels.
    @Test(arguments: [(90.0, Orientation.rotated90), (180, .rotated180), (270, .rotated270)])
    func samplerAgreesWithTheExactMoves(angle: Double, orientation: Orientation) throws {
        let image = try PixelBuffer.noise(PixelSize(width: 64, height: 32), alphaMode: .opaque)
        let exact = try image.oriented(orientation)
        for filter in [ResamplingFilter.nearest, .bilinear, .catmullRom, .lanczos3] {
            let result = try image.rotated(by: angle + 1e-10, filter: filter, background: white)
            #expect(result == exact, "\(filter)")
        }
    }

    // MARK: Canvas

    @Test(arguments: awkwardSizes, angles)
    func canvasIsTheExactExtentRoundedUp(size: PixelSize, angle: Double) throws {
        let result = try PixelBuffer(width: size.width, height: size.height).rotated(by: angle)
        let (sine, cosine) = (abs(sin(angle * .pi / 180)), abs(cos(angle * .pi / 180)))
        let (w, h) = (Double(size.width), Double(size.height))
        #expect(Double(result.width) == max(1, (w * cosine + h * sine - 1e-9).rounded(.up)))
        #expect(Double(result.height) == max(1, (w * sine + h * cosine - 1e-9).rounded(.up)))
        #expect(try size.rotated(by: angle) == result.size)
    }

    @Test func roundingNoiseDoesNotAddAPixel() throws {
        // The sine of 30 degrees is one half, but not exactly so in floating point.
        let size = try PixelSize(width: 0x10000, height: 2).rotated(by: 30, pixelLimit: .max)
        #expect(size.height == 32_770)
    }

    // MARK: What stays

    @Test(arguments: ResamplingFilter.allCases)
    func whiteOnWhiteStaysWhite(filter: ResamplingFilter) throws {
        for angle in angles {
            for size in awkwardSizes {
                let image = try PixelBuffer(
                    width: size.width, height: size.height, filledWith: 0xFFFF_FFFF, alphaMode: .opaque)
                let result = try image.rotated(by: angle, filter: filter, background: .white)
                #expect(result.alphaMode == .opaque)
                #expect(result.pixels.allSatisfy { $0 == 0xFFFF_FFFF }, "\(size) by \(angle)")
            }
        }
    }

    @Test(arguments: ResamplingFilter.allCases)
    func constantColourKeepsItsColourUpToTheEdge(filter: ResamplingFilter) throws {
        let image = try PixelBuffer(width: 65, height: 33, filledWith: 0xFF20_80E0, alphaMode: .opaque)
        let result = try image.rotated(by: 17, filter: filter)
        #expect(result.alphaMode == .straight)
        #expect(result.pixels.allSatisfy { $0 >> 24 == 0 || $0 & 0xFF_FFFF == 0x20_80E0 })
    }

    @Test func constantTranslucentColourKeepsItsColourAndAlpha() throws {
        let image = try PixelBuffer(width: 65, height: 33, filledWith: 0x1020_80E0, alphaMode: .straight)
        let result = try image.rotated(by: 17)
        #expect(result[result.width / 2, result.height / 2] == 0x1020_80E0)
    }

    @Test(arguments: angles)
    func centrePixelIsKept(angle: Double) throws {
        // The canvas may have even sides, so the centre is a block of pixels.
        let image = try PixelBuffer.drawn(PixelSize(width: 65, height: 33)) { x, y in
            abs(x - 32) <= 3 && abs(y - 16) <= 3 ? 0xFF10_F020 : 0xFF00_0000
        }
        let result = try image.rotated(by: angle, filter: .bilinear)
        #expect(result[result.width / 2, result.height / 2] == 0xFF10_F020)
    }

    @Test func clockwiseIsPositive() throws {
        let image = try PixelBuffer.drawn(PixelSize(width: 33, height: 33)) { x, _ in
            x > 24 ? 0xFFFF_FFFF : 0xFF00_0000
        }
        // The white stripe moves from the right to the lower right.
        let result = try image.rotated(by: 45)
        let (middle, step) = (result.width / 2, 9)
        #expect(result[middle + step, middle + step] == 0xFFFF_FFFF)
        #expect(result[middle + step, middle - step] == 0xFF00_0000)
    }

    @Test func meanOfASmoothImageIsKept() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 120, height: 90))
        for filter in [ResamplingFilter.bilinear, .catmullRom, .lanczos3] {
            let result = try image.rotated(by: 23, filter: filter)
            for channel in 0..<3 {
                let before = mean(image, channel)
                #expect(abs(mean(result, channel) - before) < 0.5)
            }
        }
    }

    @Test func areaOfTheImageIsKept() throws {
        let size = PixelSize(width: 65, height: 33)
        let image = try PixelBuffer(
            width: size.width, height: size.height, filledWith: 0xFFFF_FFFF, alphaMode: .opaque)
        for angle in angles {
            let sum = try image.rotated(by: angle).pixels.reduce(0) { $0 + Double($1 >> 24) } / 255
            #expect(abs(sum - 65 * 33) < 1, "\(angle): \(sum)")
        }
    }

    @Test func turningThereAndBackIsClose() throws {
        // The sides grow by an even number, so that the pixels coincide again.
        let image = try PixelBuffer.smooth(PixelSize(width: 79, height: 57))
        let back = try image.rotated(by: 13, background: white).rotated(by: -13, background: white)
        try #require(back.size == PixelSize(width: 105, height: 93))
        let middle = try back.cropped(to: PixelRectangle(x: 13, y: 18, width: 79, height: 57))
        let inner = PixelRectangle(x: 10, y: 10, width: 59, height: 37)
        #expect(try image.cropped(to: inner).largestDifference(from: middle.cropped(to: inner)) <= 2)
    }

    // MARK: Edges and corners

    @Test func alphaOfTheEdgeIsSymmetrical() throws {
        for size in awkwardSizes {
            let image = try PixelBuffer(
                width: size.width, height: size.height, filledWith: 0xFFFF_FFFF, alphaMode: .opaque)
            let result = try image.rotated(by: 31)
            #expect(try result.rotated(quarterTurns: 2) == result)
            let mirrored = try image.rotated(by: -31)
            #expect(try mirrored.flippedHorizontally() == result)
        }
    }

    @Test func cornersAreExactlyTheBackground() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 65, height: 33))
        let color = PixelColor(red: 200, green: 100, blue: 50, alpha: 3)
        for (mode, pixel) in [(AlphaMode.straight, color.pixel), (.premultiplied, color.premultipliedPixel)] {
            var image = image
            if mode == .premultiplied { image.premultiply() }
            let result = try image.rotated(by: 40, background: color)
            #expect(result.alphaMode == mode)
            #expect(result[0, 0] == pixel)
            #expect(result[result.width - 1, 0] == pixel)
            #expect(result[0, result.height - 1] == pixel)
            #expect(result[result.width - 1, result.height - 1] == pixel)
        }
        #expect(try image.rotated(by: 40)[0, 0] == 0)
    }

    @Test func translucentPixelsStayTranslucentOverABackground() throws {
        let image = try PixelBuffer(width: 33, height: 33, filledWith: 0x80FF_0000, alphaMode: .straight)
        let result = try image.rotated(by: 45, background: .white)
        #expect(result.alphaMode == .straight)
        #expect(result[result.width / 2, result.height / 2] == 0x80FF_0000)
    }

    @Test(arguments: ResamplingFilter.allCases)
    func premultipliedColoursNeverExceedAlpha(filter: ResamplingFilter) throws {
        let image = try PixelBuffer.noise(PixelSize(width: 65, height: 33)).premultiplied()
        let result = try image.rotated(by: 33, filter: filter)
        let isPremultiplied = result.pixels.allSatisfy { pixel in
            let alpha = pixel >> 24
            return pixel >> 16 & 255 <= alpha && pixel >> 8 & 255 <= alpha && pixel & 255 <= alpha
        }
        #expect(isPremultiplied)
    }

    @Test func invisibleColoursDoNotBleed() throws {
        // Green in transparent pixels, red in visible ones: no green may appear.
        let image = try PixelBuffer.drawn(PixelSize(width: 40, height: 40), alphaMode: .straight) { x, _ in
            x < 20 ? 0xFFFF_0000 : 0x0000_FF00
        }
        let pixels = try image.rotated(by: 25, filter: .bilinear).pixels
        #expect(pixels.allSatisfy { $0 >> 24 == 0 || $0 & 0xFF_FFFF == 0xFF_0000 })
    }

    // MARK: Refusals

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func anglesThatAreNoneAreRefused(angle: Double) throws {
        let image = try PixelBuffer(width: 3, height: 7)
        #expect(throws: TexelError.invalidTransform("the angle must be finite; it is \(angle) degrees")) {
            try image.rotated(by: angle)
        }
    }

    @Test func tooLargeACanvasIsRefused() throws {
        let image = try PixelBuffer(width: 1000, height: 1)
        #expect(throws: TexelError.resultTooLarge) { try image.rotated(by: 45, pixelLimit: 100_000) }
        #expect(throws: TexelError.resultTooLarge) {
            try PixelSize(width: .max, height: .max).rotated(by: 45)
        }
        // Without a limit the size of any canvas can be computed.
        #expect(try PixelSize(width: 16000, height: 16000).rotated(by: 10).width == 18536)
    }

    private func mean(_ image: PixelBuffer, _ channel: Int) -> Double {
        var (sum, weight) = (0.0, 0.0)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let channels = image.channels(x, y)
                sum += Double(channels[channel] * channels[3])
                weight += Double(channels[3])
            }
        }
        return sum / weight
    }
}
