import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNM

/// Writing PGM, PPM and PAM.
@Suite struct PNMWritingTests {
    private let checks = CodecChecks(PNMCodec())

    private func head(_ image: PixelBuffer, _ options: PNMOptions = PNMOptions()) throws -> String {
        String(decoding: try image.encoded(as: .ppm(options)).prefix(2), as: UTF8.self)
    }

    @Test(arguments: [true, false]) func roundTripsKeepPixelsAndMetadata(reduces: Bool) async throws {
        let options = PNMOptions(reducesLosslessly: reduces)
        try checks.checkRoundTrips(options)
        try checks.checkMetadata(options)
        let pam = try PixelBuffer.random(width: 33, height: 70, alphaMode: .straight).encoded(as: .ppm(options))
        try checks.checkTruncations(of: pam, count: 300)
        checks.checkMutations(of: pam, count: 300, seed: 1)
        try await checks.checkArriving(pam, seed: 1)
    }

    /// The bytes are those that the specifications describe.
    @Test func writtenBytesFollowTheSpecification() throws {
        func file(_ pixels: [UInt32], _ alphaMode: AlphaMode) throws -> [UInt8] {
            try PixelBuffer(width: 2, height: 1, pixels: pixels, alphaMode: alphaMode).encoded(as: .ppm())
        }
        #expect(try file([0xFF01_0203, 0xFF04_0506], .opaque) == Array("P6\n2 1\n255\n".utf8) + [1, 2, 3, 4, 5, 6])
        #expect(try file([0xFF01_0101, 0xFF04_0404], .opaque) == Array("P5\n2 1\n255\n".utf8) + [1, 4])
        let pam = "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
        #expect(
            try file([0x8001_0203, 0xFF04_0506], .straight) == Array(pam.utf8) + [1, 2, 3, 128, 4, 5, 6, 255])
    }

    /// The pixels decide on the format, unless all files of a sequence must be alike.
    @Test func pixelsSelectTheFormat() throws {
        let gray = try PixelBuffer(width: 3, height: 2, filledWith: 0xFF40_4040, alphaMode: .opaque)
        let color = try PixelBuffer(width: 3, height: 2, filledWith: 0xFF40_4041, alphaMode: .opaque)
        let clear = try PixelBuffer(width: 3, height: 2, filledWith: 0x8040_4040, alphaMode: .straight)
        let opaque = try PixelBuffer(width: 3, height: 2, filledWith: 0xFF40_4041, alphaMode: .straight)
        #expect(try [gray, color, clear, opaque].map { try head($0) } == ["P5", "P6", "P7", "P6"])
        let unreduced = PNMOptions().withoutReductions
        #expect(try [gray, color, clear, opaque].map { try head($0, unreduced) } == ["P6", "P6", "P7", "P7"])
        #expect(!PNMOptions().isLossy)
    }

    @Test func premultipliedImagesAreWrittenStraight() throws {
        let image = try PixelBuffer(width: 1, height: 1, filledWith: 0x8040_2010, alphaMode: .premultiplied)
        let decoded = try checks.decoded(try image.encoded(as: .ppm())).image
        #expect(decoded.pixels == (try image.unpremultiplied().pixels))
    }

    /// The formats declare no colours, so others than sRGB are converted.
    @Test func otherColorsAreConvertedToSRGB() throws {
        var image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque)
        image.colorSpace = .codePoints(try #require(CICP(primaries: 12, transfer: 13)))
        let decoded = try checks.decoded(try image.encoded(as: .ppm())).image
        #expect(decoded == (try image.convertedToSRGB()))
        #expect(decoded.pixels != image.pixels)
    }

    @Test func commentsAreWritten() throws {
        let image = try PixelBuffer(width: 1, height: 1, filledWith: 0x8001_0203)
        let comments = [
            TextComment(keyword: "Author", bytes: [0xE9], encoding: .latin1),
            TextComment(bytes: Array("x".utf8), encoding: .utf8),
        ]
        let bytes = try image.encoded(as: .ppm(), metadata: WrittenMetadata(comments: comments))
        #expect(try checks.source(bytes).info.metadata.comments.map(\.text) == ["Author: \u{E9}", "x"])
        #expect(try checks.decoded(bytes, .warning).image == image)
    }

    @Test func stoppedCodingThrows() throws {
        let token = StopToken()
        token.cancel()
        let image = try PixelBuffer.random(width: 30, height: 30)
        #expect(throws: TexelError.stopped(.cancelled)) { try image.encoded(as: .ppm(), stop: token) }
        var options = DecodeOptions()
        options.stop = token
        let source = try checks.source(try image.encoded(as: .ppm()))
        #expect(throws: TexelError.stopped(.cancelled)) { try source.decodedAsStored(options) }
    }

    @Test func progressCountsRows() throws {
        let counter = RowCounter()
        counter.expect(200)
        var context = EncodingContext()
        context.progress = EncodingProgress(counter, rowCount: 200)
        _ = try PNMOptions().encode(try PixelBuffer.random(width: 3, height: 200), context)
        #expect(counter.progress.rowsDone == 200)
    }
}
