import TestImageWriting
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Samples of 16 bits that become bytes.
@Suite struct DitheringTests {
    private let checks = CodecChecks(PNGCodec())
    private static let size = PixelSize(width: 64, height: 48)

    @Test func pattern() throws {
        try checks.checkDithering { try PNGWriter(Self.size, .gray, bitDepth: 16).bytes($0) }
    }

    /// libpng reads files with a transparent colour; Texel's own reader reads the others.
    @Test(arguments: [PNGWriter.ColorType.gray, .rgb]) func bothReadersDitherAlike(type: PNGWriter.ColorType) throws {
        var generator = SeededGenerator(seed: 5)
        let count = Self.size.width * Self.size.height * type.channels
        let samples = (0..<count).map { _ in UInt16.random(in: 1 ... .max, using: &generator) }
        var writer = PNGWriter(Self.size, type, bitDepth: 16)
        var options = DecodeOptions()
        options.dithers = true
        let own = try checks.source(try writer.bytes(samples)).decodedAsStored(options).image
        writer.transparentColor = [UInt16](repeating: 0, count: type.channels)
        let library = try checks.source(try writer.bytes(samples)).decodedAsStored(options).image
        #expect(own.pixels == library.pixels)
        let rounded = try checks.source(try writer.bytes(samples)).decodedAsStored().image
        #expect(own.pixels != rounded.pixels && own.largestDifference(from: rounded) == 1)
    }

    /// The passes of an interlaced image have a pattern each.
    @Test func interlacedImages() throws {
        var writer = PNGWriter(Self.size, .rgba, bitDepth: 16)
        writer.isInterlaced = true
        let samples = (0..<(Self.size.width * Self.size.height * 4)).map { UInt16($0 % 4 == 3 ? 0xFFFF : 0x7055) }
        var options = DecodeOptions()
        options.dithers = true
        let image = try checks.source(try writer.bytes(samples)).decodedAsStored(options).image
        #expect(Set(image.pixels) == [0xFF6F_6F6F, 0xFF70_7070])
        let mean = Double(image.pixels.reduce(0) { $0 + Int($1 & 255) }) / Double(image.pixels.count)
        #expect(abs(mean - Double(0x7055) / 257) < 0.05)
    }
}
