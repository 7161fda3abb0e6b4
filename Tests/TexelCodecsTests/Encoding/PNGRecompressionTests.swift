import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// PNGs that are compressed again at their own bit depth. The samples that a test wrote with libpng must be in the new
/// file, which libpng can read.
@Suite struct PNGRecompressionTests {
    private static let size = PixelSize(width: 37, height: 29)

    private func recompressed(
        _ bytes: [UInt8], effort: Effort = .balanced, keepsColor: Bool = true
    ) throws -> Recompressed {
        try CodecRegistry.shared.open(InputBytes(bytes)).recompressed(
            settings: EncodingSettings(effort: effort), metadata: WrittenMetadata(),
            keeping: keepsColor ? [.color] : [],
            options: DecodeOptions(),
            parallelism: 2, progress: nil)
    }

    private func file(_ bytes: [UInt8], effort: Effort = .balanced, keepsColor: Bool = true) throws -> [UInt8] {
        guard case .file(let result) = try recompressed(bytes, effort: effort, keepsColor: keepsColor) else {
            throw Missing()
        }
        return result
    }

    private struct Missing: Error {}

    private func samples(_ bytes: [UInt8]) throws -> PNGSamples {
        let file = PNGFile(bytes: InputBytes(bytes))
        let pixels = try #require(file.chunks.first { $0.name == "IDAT" })
        return try #require(try PNGSamples(file, try file.header(), at: pixels.whole.lowerBound, DecodeOptions()))
    }

    /// Returns the 16-bit samples of a file, with interleaved channels.
    private func values(of bytes: [UInt8]) throws -> [UInt16] {
        let bytes = try samples(bytes).withSamples { Array($0) }
        return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    }

    /// Returns smooth values with noise in the low byte.
    private func values(_ channels: Int, seed: UInt64, _ value: (Int, Int, UInt16) -> UInt16 = { $2 }) -> [UInt16] {
        var generator = SeededGenerator(seed: seed)
        return (0..<(Self.size.width * Self.size.height)).flatMap { index in
            (0..<channels).map { channel in
                let random = UInt16.random(in: 0...255, using: &generator)
                return value(index, channel, UInt16((index * 31 + channel * 7000) % 60_000) &+ random)
            }
        }
    }

    @Test(arguments: [PNGWriter.ColorType.gray, .rgb, .grayAlpha, .rgba], [false, true])
    func keepsSixteenBits(colorType: PNGWriter.ColorType, isInterlaced: Bool) throws {
        var writer = PNGWriter(Self.size, colorType, bitDepth: 16)
        writer.isInterlaced = isInterlaced
        let written = values(colorType.channels, seed: 1)
        let input = try writer.bytes(written)
        for effort in Effort.allCases {
            let output = try file(input, effort: effort)
            let header = try PNGFile(bytes: InputBytes(output)).header()
            #expect(header.bitDepth == 16 && header.colorType == Int(colorType.rawValue) && !header.isInterlaced)
            #expect(try values(of: output) == written)
            // libpng reads the same pixels from both files.
            let (before, after) = try (decoded(input), decoded(output))
            #expect(before.pixels == after.pixels)
            if !isInterlaced { #expect(output.count <= input.count) }
        }
    }

    private func decoded(_ bytes: [UInt8]) throws -> PixelBuffer {
        try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
    }

    /// Channels without information are dropped; with a colour profile, colour channels are kept.
    @Test func channelsWithoutInformationAreDropped() throws {
        let opaqueGray = values(4, seed: 2) { index, channel, _ in channel == 3 ? 65_535 : UInt16(index * 50 + 1) }
        let gray = opaqueGray.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
        var writer = PNGWriter(Self.size, .rgba, bitDepth: 16)
        let plain = try file(try writer.bytes(opaqueGray))
        #expect(try samples(plain).colorType == .gray && values(of: plain) == gray)
        writer.profile = try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile()
        let colored = try file(try writer.bytes(opaqueGray))
        #expect(try samples(colored).colorType == .rgb && values(of: colored) == gray.flatMap { [$0, $0, $0] })
        let uncolored = try file(try writer.bytes(opaqueGray), keepsColor: false)
        #expect(try samples(uncolored).colorType == .gray)
        writer.profile = nil
        let clear = values(4, seed: 3) { index, channel, value in channel == 3 ? value : UInt16(index) }
        #expect(try samples(file(try writer.bytes(clear))).colorType == .grayAlpha)
    }

    /// Pixels of the key colour stay transparent, and no others become transparent.
    @Test func keepsTheColorKey() throws {
        var writer = PNGWriter(Self.size, .rgb, bitDepth: 16)
        writer.transparentColor = [1, 2, 259]
        let keyed = values(3, seed: 4) { index, channel, value in
            index % 3 == 0 ? [1, 2, 259][channel] : index % 3 == 1 ? [1, 2, 258][channel] : value
        }
        let input = try writer.bytes(keyed)
        let output = try file(input)
        #expect(try values(of: output) == keyed)
        #expect(try decoded(input).pixels == decoded(output).pixels)
    }

    @Test func samplesThatFitEightBitsAreSaid() throws {
        let writer = PNGWriter(Self.size, .rgb, bitDepth: 16)
        let wide = values(3, seed: 5) { index, channel, _ in UInt16((index + channel) % 256) * 257 }
        guard case .fitsEightBits = try recompressed(try writer.bytes(wide)) else { throw Missing() }
        var one = wide
        one[one.count - 1] ^= 1
        guard case .file = try recompressed(try writer.bytes(one)) else { throw Missing() }
    }

    /// A single damaged byte is detected or changes no sample.
    @Test func damageIsNoticed() throws {
        let writer = PNGWriter(PixelSize(width: 5, height: 4), .rgb, bitDepth: 16)
        let input = try writer.bytes((0..<60).map { UInt16($0 * 1000) })
        let whole = try values(of: input)
        for index in PNGFile.signature.count..<input.count {
            var damaged = input
            damaged[index] ^= 0x10
            guard let result = try? recompressed(damaged), case .file(let output) = result else { continue }
            #expect(try values(of: output) == whole, "byte \(index)")
        }
    }

    @Test func stoppedRecompressionThrows() throws {
        let input = try PNGWriter(Self.size, .rgb, bitDepth: 16).bytes(values(3, seed: 6))
        var options = DecodeOptions()
        options.stop = StopToken { .cancelled }
        #expect(throws: TexelError.stopped(.cancelled)) {
            try CodecRegistry.shared.open(InputBytes(input)).recompressed(
                settings: EncodingSettings(), metadata: WrittenMetadata(), keeping: [.color], options: options,
                parallelism: 1,
                progress: nil)
        }
    }

    /// Every valid file of the PNG test suite, of any depth, colour type and interlacing.
    @Test(.enabled(if: TestFolders.corpora != nil, "TEXEL_CORPORA names no folder"))
    func realFilesKeepPixelsAndSamples() throws {
        var count = 0
        for file in Corpora.files() where file.pathExtension == "png" {
            let bytes = try Corpora.bytes(file)
            guard let source = try? CodecRegistry.shared.open(InputBytes(bytes)),
                source.info.size.pixelCount ?? 0 < 500_000,
                case .file(let output)? = try? recompressed(bytes, effort: .fast)
            else { continue }
            count += 1
            let before = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
            #expect(try before.pixels == decoded(output).pixels, "\(Corpora.name(of: file))")
            if source.info.frameCount == 1 {
                #expect(try samplesAgree(bytes, output), "\(Corpora.name(of: file))")
            }
        }
        #expect(count > 100)
    }

    private func samplesAgree(_ input: [UInt8], _ output: [UInt8]) throws -> Bool {
        let (before, after) = (try samples(input), try samples(output))
        guard before.colorType == after.colorType else { return true }
        return before.withSamples { before in after.withSamples { before.elementsEqual($0) } }
    }
}
