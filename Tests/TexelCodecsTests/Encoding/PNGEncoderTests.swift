import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
import TexelFormats
@testable import TexelPNG

/// A kind of image, and how PNG should store it.
struct PNGKind: Sendable, CustomTestStringConvertible {
    var name: String
    var model: ImageInfo.ColorModel
    var bitDepth: Int
    var alphaMode = AlphaMode.opaque
    /// Returns the pixel for a random number.
    var pixel: @Sendable (UInt32) -> UInt32

    var testDescription: String { name }

    private static func gray(_ value: UInt32) -> UInt32 { value & 255 | (value & 255) << 8 | (value & 255) << 16 }

    /// Returns different colours that are not grey.
    private static func color(_ index: UInt32) -> UInt32 {
        (index * 7 + 40) << 16 & 0xFF_0000 | index << 8 | 255 - index
    }

    static let all: [PNGKind] = [
        PNGKind(name: "two greys", model: .gray, bitDepth: 1) { 0xFF00_0000 | gray($0 % 2 * 255) },
        PNGKind(name: "four greys", model: .gray, bitDepth: 2) { 0xFF00_0000 | gray($0 % 4 * 85) },
        PNGKind(name: "sixteen greys", model: .gray, bitDepth: 4) { 0xFF00_0000 | gray($0 % 16 * 17) },
        PNGKind(name: "all greys", model: .gray, bitDepth: 8) { 0xFF00_0000 | gray($0 % 256) },
        PNGKind(name: "translucent greys", model: .grayAlpha, bitDepth: 8, alphaMode: .straight) {
            $0 & 0xFF00_0000 | gray($0 % 256)
        },
        PNGKind(name: "2 colours", model: .palette, bitDepth: 1) { 0xFF00_0000 | color($0 % 2) },
        PNGKind(name: "4 colours", model: .palette, bitDepth: 2) { 0xFF00_0000 | color($0 % 4) },
        PNGKind(name: "16 colours", model: .palette, bitDepth: 4) { 0xFF00_0000 | color($0 % 16) },
        PNGKind(name: "200 colours", model: .palette, bitDepth: 8) { 0xFF00_0000 | color($0 % 200) },
        PNGKind(name: "2 translucent colours", model: .palette, bitDepth: 1, alphaMode: .straight) {
            ($0 % 2 * 100) << 24 | color($0 % 2)
        },
        PNGKind(name: "4 translucent colours", model: .palette, bitDepth: 2, alphaMode: .straight) {
            ($0 % 4 * 80) << 24 | color($0 % 4)
        },
        PNGKind(name: "16 translucent colours", model: .palette, bitDepth: 4, alphaMode: .straight) {
            ($0 % 16 * 17) << 24 | color($0 % 16)
        },
        PNGKind(name: "200 translucent colours", model: .palette, bitDepth: 8, alphaMode: .straight) {
            ($0 % 200) << 24 | color($0 % 200)
        },
        PNGKind(name: "many colours", model: .rgb, bitDepth: 8) { 0xFF00_0000 | $0 },
        PNGKind(name: "many translucent colours", model: .rgba, bitDepth: 8, alphaMode: .straight) { $0 },
    ]

    func image(width: Int, height: Int, seed: UInt64 = 1) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        return try .make(width: width, height: height, alphaMode: alphaMode) { _, _ in
            pixel(UInt32.random(in: 0 ... .max, using: &generator))
        }
    }
}

@Suite struct PNGEncoderTests {
    @Test(arguments: PNGKind.all)
    func eachKindIsStoredInItsSmallestForm(kind: PNGKind) throws {
        let image = try kind.image(width: 131, height: 67)
        let source = try image.encoded(as: .png(PNGOptions())).source()
        #expect(source.info.colorModel == kind.model)
        #expect(source.info.bitDepth == kind.bitDepth)
        #expect(source.info.hasAlpha == (kind.alphaMode == .straight))
        #expect(try source.decodedAsStored().image == image)
    }

    @Test(arguments: PNGKind.all)
    func everyWidthKeepsItsPixels(kind: PNGKind) throws {
        for width in 1...17 {
            let image = try kind.image(width: width, height: 5, seed: UInt64(width))
            for reduces in [true, false] {
                let bytes = try image.encoded(as: .png(PNGOptions(reducesLosslessly: reduces)))
                expectPixelsEqual(try bytes.decoded(), image, "\(kind.name), width \(width), reduced \(reduces)")
            }
        }
    }

    @Test(arguments: PNGKind.all)
    func filtersLevelsAndEffortsKeepThePixels(kind: PNGKind) throws {
        let image = try kind.image(width: 41, height: 19)
        for filter in PNGOptions.Filter.allCases {
            for level in [0, 1, 6, 9] {
                let bytes = try image.encoded(as: .png(PNGOptions(level: level, filter: filter)))
                expectPixelsEqual(try bytes.decoded(), image, "\(kind.name), \(filter), level \(level)")
            }
        }
        for effort in Effort.allCases {
            let options = PNGOptions(effort: effort)
            let bytes = try image.encoded(as: .png(options))
            expectPixelsEqual(try bytes.decoded(), image, "\(kind.name), \(effort)")
            #expect(try image.encoded(as: .png(options)) == bytes)
        }
    }

    @Test func premultipliedPixelsAreStoredStraight() throws {
        let image = try PixelBuffer.random(width: 23, height: 11, alphaMode: .premultiplied)
        expectPixelsEqual(
            try image.encoded(as: .png(PNGOptions())).decoded(), try image.unpremultiplied(), "premultiplied")
    }

    /// The rows of a sub-rectangle are not contiguous.
    @Test(arguments: PNGKind.all)
    func subRectanglesAreWrittenAlone(kind: PNGKind) throws {
        let image = try kind.image(width: 40, height: 30)
        let part = try image.cropped(to: PixelRectangle(x: 7, y: 5, width: 13, height: 11))
        expectPixelsEqual(try part.encoded(as: .png(PNGOptions())).decoded(), part, kind.name)
    }

    @Test func opaquePixelsLoseTheirAlphaChannel() throws {
        let image = try PixelBuffer.make(width: 40, height: 40, alphaMode: .straight) { x, y in
            0xFF00_0000 | UInt32(x * 50021 + y * 3001)
        }
        let source = try image.encoded(as: .png(PNGOptions())).source()
        #expect(source.info.colorModel == .rgb)
        #expect(try image.encoded(as: .png(PNGOptions(reducesLosslessly: false))).source().info.colorModel == .rgba)
    }

    @Test func impossibleLevelsAreRefused() throws {
        let image = try PixelBuffer(width: 1, height: 1)
        for level in [-1, 10] {
            #expect(throws: TexelError.self) { try image.encoded(as: .png(PNGOptions(level: level))) }
        }
    }

    // MARK: Colour

    @Test func grayPixelsWithAnRGBProfileStayRGB() throws {
        let profile = try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile())
        for reduces in [true, false] {
            var image = try PNGKind.all[3].image(width: 64, height: 64)
            image.colorSpace = .iccProfile(profile)
            let source = try image.encoded(as: .png(PNGOptions(reducesLosslessly: reduces))).source()
            #expect([.rgb, .palette].contains(source.info.colorModel))
            #expect(source.info.colorSpace == .iccProfile(profile))
            #expect(try source.decodedAsStored().image == image)
        }
    }

    @Test func grayPixelsKeepAGrayProfile() throws {
        let profile = try grayProfile(gamma: 1.8)
        for kind in PNGKind.all where [.gray, .grayAlpha].contains(kind.model) {
            for reduces in [true, false] {
                var image = try kind.image(width: 33, height: 9)
                image.colorSpace = .iccProfile(profile)
                let source = try image.encoded(as: .png(PNGOptions(reducesLosslessly: reduces))).source()
                #expect(source.info.colorModel == kind.model)
                #expect(source.info.colorSpace == .iccProfile(profile))
                #expect(try source.decodedAsStored().image == image)
            }
        }
    }

    @Test func colorPixelsWithAGrayProfileBecomeSRGB() throws {
        var image = try PixelBuffer.random(width: 33, height: 9)
        image.colorSpace = .iccProfile(try grayProfile(gamma: 1.8))
        let source = try image.encoded(as: .png(PNGOptions())).source()
        #expect(source.info.colorSpace == .sRGB)
        #expect(try source.decodedAsStored().image == image.convertedToSRGB())
        #expect(try source.decodedAsStored().image.isGray == false)
    }

    @Test func calibrationsTravel() throws {
        var image = try PixelBuffer.random(width: 9, height: 9)
        for calibration in [
            TestImage.wideGamut, Calibration(gamma: 100_000, chromaticities: nil),
            Calibration(gamma: nil, chromaticities: TestImage.wideGamut.chromaticities),
        ] {
            image.colorSpace = .calibrated(calibration)
            #expect(try image.encoded(as: .png(PNGOptions())).decoded() == image)
        }
    }
}
