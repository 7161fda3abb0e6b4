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

    @Test func deepPNGsAreDitheredWithTheSharedPattern() throws {
        try checks.checkDithering { try PNGWriter(Self.size, .gray, bitDepth: 16).bytes($0) }
    }

    /// The pixels of interlaced images, and of those with a transparent colour, are dithered as all others.
    @Test(
        arguments: [PNGWriter.ColorType.gray, .rgb, .grayAlpha, .rgba].flatMap { [($0, false), ($0, true)] }
            // Only these have a transparent colour; without one and not interlaced, a file is the expected one.
            .filter { $1 || $0 == .gray || $0 == .rgb })
    func everyKindIsDitheredAlike(type: PNGWriter.ColorType, isInterlaced: Bool) throws {
        var generator = SeededGenerator(seed: 5)
        let count = Self.size.width * Self.size.height * type.channels
        let samples = (0..<count).map { _ in UInt16.random(in: 1 ... .max, using: &generator) }
        var writer = PNGWriter(Self.size, type, bitDepth: 16)
        var options = DecodeOptions()
        options.dithers = true
        let expected = try checks.source(try writer.bytes(samples)).decodedAsStored(options).image
        writer.isInterlaced = isInterlaced
        if type == .gray || type == .rgb { writer.transparentColor = [UInt16](repeating: 0, count: type.channels) }
        let image = try checks.source(try writer.bytes(samples)).decodedAsStored(options).image
        #expect(image.pixels == expected.pixels)
        let rounded = try checks.source(try writer.bytes(samples)).decodedAsStored().image
        #expect(image.pixels != rounded.pixels && image.largestDifference(from: rounded) == 1)
    }
}
