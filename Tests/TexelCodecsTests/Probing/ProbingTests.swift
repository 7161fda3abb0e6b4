import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
import TexelFormats
@testable import TexelJPEG
@testable import TexelPNG

@Suite struct ProbingTests {
    // MARK: Formats

    @Test func formatsAreToldByContent() throws {
        #expect(try ImageFormat(sniffing: TestFolders.testImage("photograph.png")) == .png)
        #expect(try ImageFormat(sniffing: TestFolders.testImage("photograph.jpg")) == .jpeg)
        #expect([UInt8]().probeFailure() == .empty)
        #expect(
            Array("hello, world".utf8).probeFailure()
                == .unknownFormat(firstBytes: Array("hello, world".utf8), readable: [.png, .jpeg]))
        #expect([UInt8]([0xFF]).probeFailure() == .unknownFormat(firstBytes: [0xFF], readable: [.png, .jpeg]))
    }

    private static func brand(_ name: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(name)".utf8) }

    private static let foreign: [(bytes: [UInt8], name: String)] = [
        (Array("RIFF1234WEBPVP8 ".utf8), "a WebP image"),
        (brand("heic"), "a HEIC image"),
        (brand("avif"), "an AVIF image"),
        (brand("isom"), "a video"),
        ([0xFF, 0x0A, 1, 2], "a JPEG XL image"),
        ([0x49, 0x49, 42, 0, 8, 0, 0, 0], "a TIFF or camera raw image"),
        (Array("%PDF-1.7".utf8), "a PDF document"),
    ]

    /// The error names the format of a file that Texel does not read.
    @Test(arguments: foreign) func foreignFormatsAreNamed(bytes: [UInt8], name: String) {
        #expect(bytes.probeFailure().map { "\($0)" } == "the file is \(name); Texel reads PNG and JPEG")
    }

    @Test func unknownBytesAreShown() {
        for text in ["RIFF1234WAVE", "hello, world", "\u{0}\u{0}\u{0}\u{18}ftyp"] {
            let message = Array(text.utf8).probeFailure().map { "\($0)" } ?? ""
            #expect(message.hasPrefix("the file is not a PNG or JPEG image (first bytes: "), "\(message)")
        }
    }

    /// Xcode writes such files for apps; they are not damaged.
    @Test func appleVariantOfPNG() throws {
        let png = try TestFolders.testImage("size-3x7.png")
        let variant = png[..<8] + [0, 0, 0, 4] + "CgBI".utf8 + [0x50, 0, 0x20, 2, 0x2B, 0xD5, 0xB3, 0x7F] + png[8...]
        #expect(
            Array(variant).probeFailure().map { "\($0)" }?.hasPrefix("Apple's CgBI variant of PNG (") == true)
    }

    @Test func damagedSignaturesAreRecognised() throws {
        let png = try TestFolders.testImage("size-3x7.png")
        for index in 0..<8 {
            var damaged = png
            damaged[index] ^= 0x20
            #expect(damaged.probeFailure() == .png(.invalidSignature(Array(damaged.prefix(8)))), "byte \(index)")
        }
        // Line-ending conversions of transfers in text mode.
        for (from, to) in [([0x0D, 0x0A], [0x0A]), ([0x0D, 0x0A], [0x0D]), ([0x0A, 0x1A], [0x0D, 0x0A, 0x1A])] {
            let pattern = from.map { UInt8($0) }
            let place = try #require(png.firstIndex(of: pattern))
            let damaged = Array(png[..<place]) + to.map { UInt8($0) } + png[(place + pattern.count)...]
            #expect(damaged.probeFailure() == .png(.invalidSignature(Array(damaged.prefix(8)))))
        }
    }

    // MARK: Headers

    private struct Expectation {
        var name: String
        var model: ImageInfo.ColorModel
        var depth = 8
        var alpha = false
        var coding: String
    }

    @Test func headersSayWhatTheFilesAre() throws {
        let (plain, adam7) = ("not interlaced", "Adam7 interlaced")
        let expectations = [
            Expectation(name: "text-1-bit.png", model: .gray, depth: 1, coding: plain),
            Expectation(name: "gray-2-bit.png", model: .gray, depth: 2, coding: plain),
            Expectation(name: "gray-16-bit.png", model: .gray, depth: 16, coding: plain),
            Expectation(name: "gray-alpha-16-bit.png", model: .grayAlpha, depth: 16, alpha: true, coding: plain),
            Expectation(name: "chart-palette.png", model: .palette, depth: 4, coding: plain),
            Expectation(name: "glass-palette-alpha.png", model: .palette, alpha: true, coding: plain),
            Expectation(name: "rgb-transparent-color.png", model: .rgb, alpha: true, coding: plain),
            Expectation(name: "shapes-alpha.png", model: .rgba, alpha: true, coding: plain),
            Expectation(name: "interlaced-rgba.png", model: .rgba, alpha: true, coding: adam7),
            Expectation(name: "photograph.jpg", model: .yCbCr, coding: "baseline"),
            Expectation(name: "progressive.jpg", model: .yCbCr, coding: "progressive"),
            Expectation(name: "gray.jpg", model: .gray, coding: "baseline"),
            Expectation(name: "rgb.jpg", model: .rgb, coding: "baseline"),
            Expectation(name: "cmyk.jpg", model: .cmyk, coding: "baseline"),
            Expectation(name: "ycck.jpg", model: .ycck, coding: "baseline"),
        ]
        for expected in expectations {
            let info = try TestFolders.testImage(expected.name).source().info
            #expect(info.colorModel == expected.model, "\(expected.name)")
            #expect(info.bitDepth == expected.depth, "\(expected.name)")
            #expect(info.hasAlpha == expected.alpha, "\(expected.name)")
            #expect(info.coding == expected.coding, "\(expected.name)")
            #expect(info.isProgressive == ["progressive", adam7].contains(expected.coding), "\(expected.name)")
            #expect(info.frameCount == 1)
        }
        for (name, notation) in [("444", "4:4:4"), ("422", "4:2:2"), ("440", "4:4:0"), ("420", "4:2:0")] {
            #expect(try TestFolders.testImage("subsampling-\(name).jpg").source().info.chromaSubsampling == notation)
        }
        for orientation in Orientation.allCases {
            let info = try TestFolders.testImage("orientation-\(orientation.rawValue).jpg").source().info
            #expect(info.orientation == orientation)
            #expect(info.displaySize == PixelSize(width: 96, height: 64))
        }
    }

    @Test func aHeaderAloneIsEnough() throws {
        for image in try TestImage.all() {
            let whole = try image.bytes.source()
            let end: Int
            if whole.info.format == .png {
                end = try #require(image.bytes.firstIndex(of: Array("IDAT".utf8))) + 4
            } else {
                end = try JPEGFile(InputBytes(image.bytes)).scanStart
            }
            #expect(try Array(image.bytes[..<end]).source().info == whole.info, "\(image.name)")
        }
    }

    @Test func aCutHeaderIsAnError() throws {
        let png = try TestFolders.testImage("size-3x7.png")
        for count in 8..<33 { #expect(Array(png[..<count]).probeFailure() == .truncated(rowsRead: 0, rows: 0)) }
        let jpeg = try TestFolders.testImage("size-3x7.jpg")
        let frame = try #require(jpeg.firstIndex(of: [0xFF, 0xC0]))
        for count in 3...(frame + 4) {
            #expect(Array(jpeg[..<count]).probeFailure() == .jpeg(.missing("frame header")))
        }
    }

    @Test func whatTexelCannotReadIsNamed() {
        typealias JPEG = HandmadeJPEG
        let words: [([UInt8], String)] = [
            (JPEG.header(0xC1, precision: 12), "12-bit JPEG"),
            (JPEG.header(0xC2, precision: 12, components: 3), "12-bit JPEG"),
            (JPEG.header(0xC3), "lossless JPEG"),
            (JPEG.header(0xC3, precision: 16, components: 3), "lossless JPEG"),
            (JPEG.header(0xCB), "lossless JPEG"),
            (JPEG.header(0xC5), "hierarchical JPEG"),
            (JPEG.header(0xCD), "hierarchical JPEG"),
            (JPEG.header(0xC0, components: 2), "JPEG with 2 components"),
            (JPEG.header(0xC0, components: 5), "JPEG with 5 components"),
            (JPEG.header(0xC0, height: 0), "JPEG with its height after the first scan (DNL)"),
        ]
        // Three samples of luma for two of chroma.
        var fractional = JPEG.header(0xC0, components: 3)
        (fractional[13], fractional[16]) = (0x31, 0x21)
        for (bytes, feature) in words + [(fractional, "JPEG with fractional sampling factors")] {
            #expect(bytes.probeFailure() == .unsupported(feature))
            #expect(bytes.probeFailure().map { "\($0)" } == "\(feature) is not supported")
        }
        #expect(JPEG.header(0xC0, width: 0).probeFailure() == .jpeg(.invalidDimensions(width: 0, height: 8)))
    }

    @Test func impossiblePNGHeadersAreNamed() {
        func failure(_ header: [UInt8]) -> TexelError? { (PNGFile.signature + header).probeFailure() }
        typealias PNG = HandmadePNG
        #expect(failure(PNG.header(width: 0, height: 5)) == .png(.invalidDimensions(width: 0, height: 5)))
        #expect(failure(PNG.header(width: 5, height: 0)) == .png(.invalidDimensions(width: 5, height: 0)))
        #expect(
            failure(PNG.header(width: 0x8000_0000, height: 1))
                == .png(.invalidDimensions(width: 0x8000_0000, height: 1)))
        #expect(failure(PNG.header(width: 1, height: 1, colorType: 5)) == .png(.invalidValue(5, of: "colour type")))
        let badDepths: [(UInt8, UInt8)] = [(3, 0), (4, 2), (16, 3), (4, 4), (1, 6), (0, 0), (32, 0)]
        for (depth, type) in badDepths {
            #expect(
                failure(PNG.header(width: 1, height: 1, bitDepth: depth, colorType: type))
                    == .png(.invalidValue(Int(depth), of: "bit depth", context: "colour type \(type)")))
        }
        #expect(failure(PNG.chunk("IDAT", Array(repeating: 0, count: 13))) == .png(.missing("IHDR chunk")))
        var damaged = PNG.header(width: 1, height: 1)
        damaged[11] = 2
        guard let failure = failure(damaged), failure.names(checksumOf: "IHDR chunk") else {
            Issue.record("no checksum error")
            return
        }
    }

    @Test func unknownInterlaceAndCompressionMethodsAreRefused() throws {
        let body = HandmadePNG.data(of: "IDAT", in: try TestFolders.testImage("size-1x1.png"))
        for (index, value) in [(10, 1), (11, 1), (12, 2)] {
            var header = HandmadePNG.header(width: 1, height: 1).dropFirst(8).dropLast(4).map { $0 }
            header[index] = UInt8(value)
            let file =
                PNGFile.signature + HandmadePNG.chunk("IHDR", header) + HandmadePNG.chunk("IDAT", body)
                + HandmadePNG.chunk("IEND", [])
            #expect(file.failure() != nil, "byte \(index)")
        }
    }
}
