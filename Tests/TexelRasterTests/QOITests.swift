import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelQOI

/// The chunks of QOI, its header, and damage.
@Suite struct QOITests {
    private let checks = CodecChecks(QOICodec())

    /// An image that needs all chunks: flat areas, gradients, few colours and noise.
    private static func image(
        _ size: PixelSize = PixelSize(width: 61, height: 47), _ alphaMode: AlphaMode = .straight
    ) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 5)
        return try PixelBuffer.make(width: size.width, height: size.height, alphaMode: alphaMode) { x, y in
            let pixel: UInt32 =
                switch y / 6 % 5 {
                case 0: 0xFF20_3040
                case 1: 0xFF00_0000 | UInt32(x * 3 & 255) << 16 | UInt32(x * 4 & 255) << 8 | UInt32(x * 5 & 255)
                case 2: 0xFF00_0000 | UInt32(x & 255) << 16 | UInt32(255 - x & 255) << 8 | UInt32(y & 255)
                case 3: [0xFF00_0000, 0xFFFF_FFFF, 0x80FF_0000, 0][x * 7 % 4]
                default: .random(in: 0 ... .max, using: &generator)
                }
            return alphaMode == .opaque ? pixel | 0xFF00_0000 : pixel
        }
    }

    @Test func allKindsOfChunksDecode() throws {
        for size in CodecChecks.sizes {
            for alphaMode in [AlphaMode.opaque, .straight] {
                let image = try Self.image(size, alphaMode)
                for kinds in 0...QOIFileMaker.Kinds.all.rawValue {
                    let file = QOIFileMaker.file(
                        image, channels: alphaMode == .opaque ? 3 : 4, kinds: .init(rawValue: kinds))
                    let decoded = try checks.decoded(file, .warning).image
                    expectPixelsEqual(decoded, image, "\(size) \(kinds)")
                    #expect(decoded.alphaMode == alphaMode)
                }
            }
        }
    }

    /// The specification's own words, byte by byte: the first pixel before this is opaque black, differences wrap
    /// around, and a repeated first pixel is also remembered.
    @Test func handmadeChunksDecodeAsSpecified() throws {
        let head = QOIFileMaker.header(width: 7, height: 1)
        let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        // A repetition of black; -1 each; luma -32 with -8 and +7; alpha; the first black by its hash, 255 × 11 % 64.
        let chunks: [UInt8] = [0xC0, 0x55, 0x80, 0x0F, 0xFF, 1, 2, 3, 4, 53, 0xFE, 9, 8, 7, 0x7F]
        let pixels = try checks.decoded(head + chunks + end, .warning).image.pixels
        #expect(
            pixels == [
                0xFF00_0000, 0xFFFF_FFFF, 0xFFD7_DFE6, 0x0401_0203, 0xFF00_0000, 0xFF09_0807, 0xFF0A_0908,
            ])
    }

    @Test func headersAreRead() throws {
        let image = try Self.image()
        let info = try checks.source(QOIFileMaker.file(image)).info
        #expect(info.size == image.size && info.hasAlpha && info.colorModel == .rgba && info.bitDepth == 8)
        #expect(info.coding == "QOI" && info.isLossless == true && info.colorSpace == .sRGB)
        let linear = try checks.source(QOIFileMaker.file(image, channels: 3, colorSpace: 1)).info
        #expect(linear.colorModel == .rgb && !linear.hasAlpha)
        #expect(linear.colorSpace == .codePoints(try #require(CICP(primaries: 1, transfer: 8))))
        let decoded = try checks.decoded(QOIFileMaker.file(image, channels: 3, colorSpace: 1)).image
        #expect(decoded.colorSpace == linear.colorSpace)
        // Chunks with alpha in a file without an alpha channel.
        #expect(decoded.pixels == image.pixels.map { $0 | 0xFF00_0000 })
    }

    @Test func invalidHeadersAreRefused() throws {
        func expect(_ error: TexelError, _ width: Int, _ height: Int, _ channels: UInt8 = 4, _ space: UInt8 = 0) {
            let head = QOIFileMaker.header(width: width, height: height, channels: channels, colorSpace: space)
            #expect(throws: error) { try checks.source(head) }
        }
        expect(.qoi(.invalidDimensions(width: 0, height: 1)), 0, 1)
        expect(.qoi(.invalidDimensions(width: 1, height: 0)), 1, 0)
        expect(.qoi(.invalidValue(2, of: "number of channels")), 1, 1, 2)
        expect(.qoi(.invalidValue(2, of: "colour space")), 1, 1, 4, 2)
        expect(.limitExceeded(.side, value: 0xFFFF_FFFF, allowed: 65_535), 0xFFFF_FFFF, 1)
        #expect(throws: TexelError.truncated(rowsRead: 0, rows: 0)) {
            try checks.source(QOIFileMaker.header(width: 1, height: 1).dropLast())
        }
    }

    @Test func missingRowsAreReported() throws {
        let image = try PixelBuffer.random(width: 4, height: 3)
        let bytes = QOIFileMaker.file(image, kinds: [])
        // Two rows of five bytes a pixel at first and four after that, or less.
        let cut = Array(bytes.dropLast(8 + 4))
        #expect(throws: TexelError.truncated(rowsRead: 2, rows: 3)) { try checks.decoded(cut) }
        let decoded = try checks.decoded(cut, .none)
        #expect(decoded.image.pixels == image.pixels.dropLast() + [0])
        #expect(decoded.warnings == ["the image is truncated"])
        // The end marker is not an index, even if pixels are missing.
        #expect(throws: TexelError.truncated(rowsRead: 2, rows: 3)) {
            try checks.decoded(cut + [0, 0, 0, 0, 0, 0, 0, 1])
        }
        let unmarked = Array(bytes.dropLast(8))
        #expect(try checks.decoded(unmarked, .error).warnings == ["the end marker is missing"])
        #expect(throws: TexelError.warning("the end marker is missing")) { try checks.decoded(unmarked, .warning) }
    }

    @Test func filesPassTheSharedChecks() async throws {
        let bytes = QOIFileMaker.file(try Self.image())
        try checks.checkTruncations(of: bytes)
        checks.checkMutations(of: bytes, count: 1000, seed: 1)
        try checks.checkLimits(bytes)
        for seed in 1...4 {
            try await checks.checkArriving(bytes, seed: UInt64(seed))
            try await checks.checkArriving(Array(bytes.dropLast(bytes.count / seed / 3)), seed: UInt64(seed))
            try await checks.checkArriving(Array(bytes.dropLast(9)) + bytes.suffix(8), seed: UInt64(seed))
        }
    }

    @Test func stoppedDecodingThrows() throws {
        let token = StopToken()
        token.cancel()
        var options = DecodeOptions()
        options.stop = token
        let source = try checks.source(QOIFileMaker.file(try Self.image()))
        #expect(throws: TexelError.stopped(.cancelled)) { try source.decodedAsStored(options) }
    }
}
