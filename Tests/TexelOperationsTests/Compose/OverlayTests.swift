import Foundation
import TestSupport
import Testing
import TexelCore
import TexelFilters
import TexelPixels

@testable import TexelOperations

@Suite struct OverlayTests {
    private static let alphaModes = [AlphaMode.opaque, .straight, .premultiplied]

    static func apply(_ operation: PixelOperation, to image: PixelBuffer) throws -> PixelBuffer {
        var image = image
        for step in try operation.value.steps(for: image.size, background: .white) { try step.apply(to: &image) }
        return image
    }

    private static func noise(
        _ width: Int, _ height: Int, _ alphaMode: AlphaMode = .straight, seed: UInt64 = 3
    ) throws -> PixelBuffer {
        try .random(width: width, height: height, alphaMode: alphaMode, seed: seed)
    }

    @Test func samplesExist() { #expect(ComposeSamples.images.count == 2) }

    // MARK: The image

    @Test func pixelsComeBack() throws {
        let drawn = try PixelBuffer.make(width: 300, height: 40, alphaMode: .straight) { x, y in
            x > 200 ? UInt32(truncatingIfNeeded: x &* 2_654_435_761 &* y) : y % 9 < 4 ? 0 : 0xFF12_3456
        }
        for image in [
            try Self.noise(1, 1), try Self.noise(37, 19), try Self.noise(64, 3, .opaque), drawn,
            try PixelBuffer(width: 500, height: 500, filledWith: 0x8012_3456),
        ] {
            let overlay = try OverlayImage(image)
            let decoded = try JSONDecoder().decode(OverlayImage.self, from: JSONEncoder().encode(overlay))
            #expect(decoded == overlay && decoded.pixels == image && decoded.hashValue == overlay.hashValue)
        }
    }

    @Test func flatImagesAreShort() throws {
        let logo = try PixelBuffer.make(width: 400, height: 300, alphaMode: .straight) { x, y in
            (100..<300).contains(x) && (50..<250).contains(y) ? 0xFF33_66CC : 0
        }
        #expect(PixelRuns.bytes(of: logo).count < 30)
    }

    @Test func damagedPixelsAreRefused() throws {
        var generator = SeededGenerator(seed: 8)
        let (size, image) = (PixelSize(width: 9, height: 7), try Self.noise(9, 7))
        let bytes = PixelRuns.bytes(of: image)
        #expect(try PixelRuns.image(bytes, size: size, alphaMode: .straight) == image)
        #expect(try PixelRuns.image(bytes, size: size.transposed, alphaMode: .straight) != nil)
        for count in 0..<bytes.count {
            #expect(try PixelRuns.image(Array(bytes.prefix(count)), size: size, alphaMode: .straight) == nil)
        }
        for wrong in [(9, 8), (9, 6), (0, 7), (-9, 7), (.max, .max), (1 << 20, 1 << 20)] {
            let size = PixelSize(width: wrong.0, height: wrong.1)
            #expect(try PixelRuns.image(bytes, size: size, alphaMode: .straight) == nil)
        }
        for _ in 0..<2000 {
            let random = [UInt8].random(count: Int.random(in: 0...40, using: &generator), using: &generator)
            let result = try PixelRuns.image(random, size: PixelSize(width: 3, height: 2), alphaMode: .opaque)
            #expect(result == nil || result?.isOpaque == true)
        }
        let text = #"{"width": 2, "height": 1, "isOpaque": true, "pixels": "?"}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(OverlayImage.self, from: Data(text.utf8)) }
    }

    @Test func equalPixelsAreEqual() throws {
        let image = try Self.noise(12, 5)
        let part = try Self.noise(20, 9).cropped(to: PixelRectangle(x: 3, y: 2, width: 12, height: 5))
        #expect(try OverlayImage(image) == OverlayImage(image))
        #expect(try OverlayImage(part) != OverlayImage(image))
        #expect(try OverlayImage(part) == OverlayImage(PixelBuffer(width: 12, height: 5, pixels: part.pixels)))
        // The same pixels in another shape.
        let turned = try PixelBuffer(width: 5, height: 12, pixels: image.pixels)
        #expect(try OverlayImage(turned) != OverlayImage(image))
        let opaque = try Self.noise(4, 4, .opaque)
        let labelled = try PixelBuffer(width: 4, height: 4, pixels: opaque.pixels, alphaMode: .straight)
        #expect(try OverlayImage(labelled) == OverlayImage(opaque))
        #expect(try OverlayImage(image.premultiplied()).pixels.alphaMode == .straight)
    }

    // MARK: Drawing

    /// Pixel by pixel: where the overlay is, its pixels are blended; elsewhere nothing changes.
    @Test(arguments: Gravity.allCases, alphaModes) func onlyItsPlaceChanges(gravity: Gravity, alphaMode: AlphaMode)
        throws
    {
        let image = try Self.noise(23, 17, alphaMode)
        for size in [PixelSize(width: 4, height: 3), PixelSize(width: 40, height: 5), PixelSize(width: 23, height: 30)]
        {
            for mode in [BlendMode.normal, .screen] {
                let overlay = try Self.noise(size.width, size.height, seed: 9)
                let options = OverlayOptions(
                    try OverlayImage(overlay), gravity: gravity, offsetX: -1, offsetY: 2, opacity: 0.8, blendMode: mode)
                let result = try Self.apply(.overlay(options), to: image)
                let place = gravity.rectangle(of: size, in: image.size, offset: (-1, 2))
                let blend = RowBlend(mode, backdrop: alphaMode, source: .straight, opacity: 0.8)
                let expected = try PixelBuffer.make(width: 23, height: 17, alphaMode: alphaMode) { x, y in
                    let (u, v) = (x - place.x, y - place.y)
                    var pixel = image[x, y]
                    if (0..<size.width).contains(u) && (0..<size.height).contains(v) {
                        var source = overlay[u, v]
                        blend.run(&source, onto: &pixel, width: 1)
                    }
                    return pixel
                }
                #expect(result == expected && result.alphaMode == alphaMode)
            }
        }
    }

    /// Tiles are copies with a period, of which one is where the gravity says.
    @Test(arguments: [0, 1, 5], [Gravity.northwest, .center, .southeast]) func tilesRepeatFromTheGravity(
        spacing: Int, gravity: Gravity
    )
        throws
    {
        let image = try Self.noise(61, 40, .opaque)
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 5), PixelSize(width: 80, height: 50)] {
            for alphaMode in [AlphaMode.opaque, .straight] {
                let overlay = try Self.noise(size.width, size.height, alphaMode, seed: 4)
                let options = OverlayOptions(
                    try OverlayImage(overlay), gravity: gravity, offsetX: 3, offsetY: -2, tileSpacing: spacing)
                let result = try Self.apply(.overlay(options), to: image)
                let place = gravity.rectangle(of: size, in: image.size, offset: (3, -2))
                let blend = RowBlend(.normal, backdrop: .opaque, source: .straight)
                let expected = try PixelBuffer.make(width: 61, height: 40) { x, y in
                    func remainder(_ a: Int, _ b: Int) -> Int { (a % b + b) % b }
                    let u = remainder(x - place.x, size.width + spacing)
                    let v = remainder(y - place.y, size.height + spacing)
                    var pixel = image[x, y]
                    if u < size.width && v < size.height {
                        var source = overlay[u, v]
                        blend.run(&source, onto: &pixel, width: 1)
                    }
                    return pixel
                }
                #expect(result == expected, "\(size) \(alphaMode)")
            }
        }
    }

    @Test func overlaysAreScaledByFactorOrFraction() throws {
        let image = try Self.noise(50, 30, .opaque)
        let overlay = try OverlayImage(.noise(PixelSize(width: 20, height: 10), alphaMode: .opaque, seed: 2))
        for (scale, size) in [
            (.fractionOfWidth(0.5), PixelSize(width: 25, height: 13)),
            (.fractionOfHeight(0.1), PixelSize(width: 6, height: 3)),
            (.fractionOfWidth(0.001), PixelSize(width: 1, height: 1)),
        ] as [(OverlayOptions.Scale, PixelSize)] {
            let options = OverlayOptions(overlay, gravity: .northwest, scale: scale)
            let expected = OverlayOptions(
                try OverlayImage(overlay.pixels.resized(to: size)), gravity: .northwest)
            #expect(
                try Self.apply(.overlay(options), to: image) == Self.apply(.overlay(expected), to: image))
        }
    }

    // MARK: Parameters

    @Test func whatChangesNothingHasNoSteps() throws {
        let image = try OverlayImage(Self.noise(4, 4))
        let transparent = try OverlayImage(
            PixelBuffer.make(width: 3, height: 3, alphaMode: .straight) { x, y in UInt32(x + y) })
        let size = PixelSize(width: 9, height: 5)
        for options in [
            OverlayOptions(image, opacity: 0), OverlayOptions(transparent), OverlayOptions(transparent, tileSpacing: 3),
            OverlayOptions(image, gravity: .west, offsetX: 9), OverlayOptions(image, gravity: .north, offsetY: -4),
            OverlayOptions(image, gravity: .southeast, offsetX: 10),
        ] {
            #expect(try options.steps(for: size, background: .white).isEmpty)
        }
    }

    @Test func invalidParametersAreRefused() throws {
        let image = try OverlayImage(Self.noise(4, 4))
        for options in [
            OverlayOptions(image, opacity: 1.01), OverlayOptions(image, opacity: -0.1),
            OverlayOptions(image, opacity: .nan), OverlayOptions(image, offsetX: .max),
            OverlayOptions(image, offsetY: -1_000_001), OverlayOptions(image, tileSpacing: -1),
            OverlayOptions(image, tileSpacing: .max), OverlayOptions(image, scale: .fractionOfWidth(0)),
            OverlayOptions(image, scale: .fractionOfHeight(.nan)), OverlayOptions(image, scale: .fractionOfWidth(10.5)),
        ] {
            #expect(throws: TexelError.self) {
                try options.steps(for: PixelSize(width: 9, height: 5), background: .white)
            }
        }
        #expect(throws: TexelError.invalidParameter("opacity", value: "2.0", allowed: "from 0 to 1")) {
            try OverlayOptions(image, opacity: 2).steps(for: PixelSize(width: 9, height: 5), background: .white)
        }
        #expect(throws: TexelError.resultTooLarge) {
            let narrow = try OverlayImage(Self.noise(1, 400))
            _ = try OverlayOptions(narrow, scale: .fractionOfWidth(10))
                .steps(for: PixelSize(width: 5000, height: 5), background: .white)
        }
    }
}
