import TestSupport
import Testing
import TexelCore
import TexelFilters
import TexelPixels

@testable import TexelOperations

/// Round corners, circles, masks and drop shadows.
@Suite struct ShapeTests {
    private static let alphaModes = [AlphaMode.opaque, .straight, .premultiplied]
    private static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 1), PixelSize(width: 1, height: 6),
        PixelSize(width: 31, height: 22), PixelSize(width: 20, height: 33),
    ]

    private static func opaque(_ size: PixelSize) throws -> PixelBuffer {
        try PixelBuffer(width: size.width, height: size.height, filledWith: .max, alphaMode: .opaque)
    }

    // MARK: Round corners

    /// The area of a pixel inside of a rounded rectangle: strips along both axes, much finer than those of the step.
    private static func area(_ x: Int, _ y: Int, _ size: PixelSize, inset: (Double, Double), _ radius: Double) -> Double
    {
        let count = 4000
        let (left, right) = (inset.0, Double(size.width) - inset.0)
        return (0..<count).reduce(0) { sum, line in
            let position = Double(y) + (Double(line) + 0.5) / Double(count)
            let fromEdge = min(position, Double(size.height) - position) - inset.1
            guard fromEdge >= 0 else { return sum }
            let distance = max(0, radius - fromEdge)
            let cut = radius - (radius * radius - distance * distance).squareRoot()
            let length = min(Double(x + 1), right - cut) - max(Double(x), left + cut)
            return sum + min(max(length, 0), 1) / Double(count)
        }
    }

    @Test(arguments: sizes, [0.4, 3, 7.7, 1000]) func cornersCoverTheirArea(size: PixelSize, radius: Double) throws {
        let result = try OverlayTests.apply(.round(.pixels(radius)), to: Self.opaque(size))
        #expect(result.alphaMode == .straight)
        let radius = min(radius, Double(min(size.width, size.height)) / 2)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let area = Self.area(x, y, size, inset: (0, 0), radius) * 255
                #expect(abs(Double(result[x, y] >> 24) - area) <= 1, "(\(x), \(y))")
            }
        }
    }

    @Test(arguments: sizes) func circlesCoverTheirArea(size: PixelSize) throws {
        let result = try OverlayTests.apply(.circle, to: Self.opaque(size))
        let radius = Double(min(size.width, size.height)) / 2
        let inset = (Double(size.width) / 2 - radius, Double(size.height) / 2 - radius)
        var total = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let area = Self.area(x, y, size, inset: inset, radius) * 255
                #expect(abs(Double(result[x, y] >> 24) - area) <= 1, "(\(x), \(y))")
                total += Double(result[x, y] >> 24) / 255
            }
        }
        #expect(abs(total - .pi * radius * radius) < 0.05 * radius + 0.01)
    }

    @Test func largeCirclesAreRound() throws {
        let side = 501
        let result = try OverlayTests.apply(.circle, to: Self.opaque(PixelSize(width: side, height: side)))
        let total = result.pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
        #expect(abs(total / (.pi * 250.5 * 250.5) - 1) < 1e-5)
        for y in 0..<side {
            for x in 0..<side {
                // All symmetries of a circle.
                #expect(result[x, y] == result[side - 1 - x, y] && result[x, y] == result[x, side - 1 - y])
                #expect(abs(Int(result[x, y] >> 24) - Int(result[y, x] >> 24)) <= 1)
            }
        }
    }

    @Test(arguments: alphaModes) func alphaIsMultiplied(alphaMode: AlphaMode) throws {
        let size = PixelSize(width: 19, height: 12)
        let image = try PixelBuffer.random(width: 19, height: 12, alphaMode: alphaMode, seed: 15)
        let shape = try OverlayTests.apply(.round(.pixels(5)), to: Self.opaque(size))
        let result = try OverlayTests.apply(.round(.pixels(5)), to: image)
        #expect(result.alphaMode == (alphaMode == .opaque ? .straight : alphaMode))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let coverage = shape[x, y] >> 24
                for shift: UInt32 in [0, 8, 16, 24] {
                    let value = image[x, y] >> shift & 255
                    var expected = (value * coverage + 127) / 255
                    if shift < 24, alphaMode != .premultiplied, coverage > 0 { expected = value }
                    #expect(result[x, y] >> shift & 255 == expected)
                }
            }
        }
    }

    // MARK: Masks

    @Test(arguments: alphaModes) func masksAreAlphaOrLuma(alphaMode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: 9, height: 6, alphaMode: alphaMode, seed: 16)
        for maskMode in [AlphaMode.opaque, .straight] {
            let mask = try PixelBuffer.random(width: 9, height: 6, alphaMode: maskMode, seed: 17)
            let result = try OverlayTests.apply(.mask(OverlayImage(mask)), to: image)
            let luma = mask.bytes(in: .gray)
            for y in 0..<6 {
                for x in 0..<9 {
                    let factor = maskMode == .opaque ? UInt32(luma[y * 9 + x]) : mask[x, y] >> 24
                    #expect(result[x, y] >> 24 == ((image[x, y] >> 24) * factor + 127) / 255)
                }
            }
        }
    }

    /// The area that a mask with another aspect ratio does not cover is transparent, or it is cropped.
    @Test func masksAreFitted() throws {
        let image = try Self.opaque(PixelSize(width: 12, height: 4))
        let mask = try OverlayImage(Self.opaque(PixelSize(width: 2, height: 2)))
        for fit in [Fit.contain, .inside] {
            let result = try OverlayTests.apply(.mask(mask, fit: fit), to: image)
            for x in 0..<12 { #expect(result[x, 1] >> 24 == ((4..<8).contains(x) ? 255 : 0)) }
        }
        for fit in [Fit.fill, .cover, .outside] {
            #expect(try MaskOperation(image: mask, fit: fit).steps(for: image.size, background: .white).isEmpty)
        }
        let half = try OverlayImage(
            PixelBuffer.make(width: 2, height: 2, alphaMode: .straight) { _, y in y == 0 ? 0xFF00_0000 : 0 })
        let result = try OverlayTests.apply(.mask(half, fit: .cover), to: image)
        for x in 0..<12 { #expect(result[x, 0] >> 24 >= result[x, 3] >> 24 && result[x, 1] == result[0, 1]) }
    }

    // MARK: Shadows

    /// The definition of the filter: the blurred alpha, moved and coloured, below the image.
    @Test(arguments: sizes, alphaModes) func shadowsAreTheirDefinition(size: PixelSize, alphaMode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: size.width, height: size.height, alphaMode: alphaMode, seed: 18)
        let color = PixelColor(red: 250, green: 120, blue: 3, alpha: 200)
        for (sigma, x, y) in [(0, 3, -2), (0.8, -5, 1), (3, 2, 40), (6.5, 0, 0)] as [(Double, Int, Int)] {
            let options = ShadowOptions(sigma: sigma, offsetX: x, offsetY: y, color: color, opacity: 0.6)
            let result = try OverlayTests.apply(.shadow(options), to: image)
            // Far more room than the shadow needs, so that edges do not matter.
            let room = 60
            let wide = PixelSize(width: size.width + 2 * room, height: size.height + 2 * room)
            func placed(_ image: PixelBuffer, _ x: Int, _ y: Int) throws -> PixelBuffer {
                let place = PixelRectangle(x: room + x, y: room + y, width: size.width, height: size.height)
                return try image.padded(to: wide, at: place, background: .transparent)
            }
            let alphas = try PixelBuffer.make(width: size.width, height: size.height, alphaMode: .premultiplied) {
                (image[$0, $1] >> 24) * 0x0101_0101
            }
            var shadow = try OverlayTests.apply(.blur(sigma: sigma), to: placed(alphas, x, y))
            shadow = try PixelBuffer.make(width: wide.width, height: wide.height, alphaMode: .straight) {
                var color = color
                color.alpha = UInt8(((shadow[$0, $1] >> 24) * 120 + 127) / 255)
                return color.pixel
            }
            if alphaMode == .premultiplied { shadow.premultiply() }
            let above = try placed(image, 0, 0)
            let blend = RowBlend(.normal, backdrop: shadow.alphaMode, source: above.alphaMode)
            let expected = try PixelBuffer.make(width: wide.width, height: wide.height, alphaMode: shadow.alphaMode) {
                var (source, pixel) = (above[$0, $1], shadow[$0, $1])
                blend.run(&source, onto: &pixel, width: 1)
                return pixel
            }
            let reach = sigma == 0 ? 0 : Int((3 * sigma).rounded(.up))
            let kept = PixelRectangle(
                x: room - max(0, reach - x), y: room - max(0, reach - y), width: result.width, height: result.height)
            #expect(largestVisibleDifference(result, try expected.cropped(to: kept)) <= (sigma > 4 ? 1 : 0), "\(sigma)")
            // Nothing is cut off.
            var outside = expected
            outside.withUnsafeMutablePixels { pixels in
                for row in kept.y..<(kept.y + kept.height) {
                    for column in kept.x..<(kept.x + kept.width) { pixels[row * wide.width + column] = 0 }
                }
            }
            #expect(outside.pixels.allSatisfy { $0 >> 24 == 0 }, "\(sigma)")
            var cut = options
            cut.keepsSize = true
            let inside = PixelRectangle(
                x: max(0, reach - x), y: max(0, reach - y), width: size.width, height: size.height)
            if alphaMode != .opaque {
                #expect(try OverlayTests.apply(.shadow(cut), to: image) == result.cropped(to: inside))
            }
        }
    }

    @Test func opaqueImagesHideTheShadow() throws {
        let image = try PixelBuffer.random(width: 8, height: 8, seed: 19)
        let result = try OverlayTests.apply(
            .shadow(ShadowOptions(sigma: 2, offsetX: 3, offsetY: 3, keepsSize: true)), to: image)
        #expect(result == image && result.alphaMode == .opaque)
    }

    // MARK: Parameters

    @Test func whatChangesNothingHasNoSteps() throws {
        for operation: PixelOperation in [
            .round(.pixels(0)), .round(.fractionOfShorterSide(0)), .shadow(ShadowOptions(sigma: 3, opacity: 0)),
            .shadow(ShadowOptions(sigma: 3, color: .transparent)), .border(width: 0, color: .black),
        ] {
            #expect(try operation.value.steps(for: PixelSize(width: 5, height: 9), background: .white).isEmpty)
        }
    }

    @Test(
        arguments: [
            .round(.pixels(-1)), .round(.pixels(.nan)), .round(.pixels(.infinity)),
            .round(.fractionOfShorterSide(0.6)), .round(.fractionOfShorterSide(.nan)),
            .shadow(ShadowOptions(sigma: -1)), .shadow(ShadowOptions(sigma: .nan)),
            .shadow(ShadowOptions(sigma: 1001)), .shadow(ShadowOptions(sigma: 1, opacity: 1.5)),
            .shadow(ShadowOptions(sigma: 1, offsetX: .max)), .shadow(ShadowOptions(sigma: 1, offsetY: .min)),
        ] as [PixelOperation])
    func invalidParametersAreRefused(operation: PixelOperation) {
        #expect(throws: TexelError.self) {
            try operation.value.steps(for: PixelSize(width: 5, height: 9), background: .white)
        }
    }
}
