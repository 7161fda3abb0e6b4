import TestImageWriting
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPixels

@testable import TexelPipeline

/// Images of 16 bits per sample: kept at their depth if no pixel changes; a warning if pixels become 8 bits.
@Suite struct RecompressionTests {
    private static let size = PixelSize(width: 31, height: 23)
    private static let warning = "16 bits per sample were reduced to 8"

    private func deep(_ value: ((Int) -> UInt16)? = nil) throws -> any ImageFile {
        var generator = SeededGenerator(seed: 3)
        let samples = (0..<(Self.size.width * Self.size.height * 3)).map { index in
            value?(index) ?? UInt16.random(in: 0...UInt16.max, using: &generator)
        }
        return try CodecRegistry.shared.open(InputBytes(try PNGWriter(Self.size, .rgb, bitDepth: 16).bytes(samples)))
    }

    @Test(arguments: Effort.allCases) func compressingKeepsTheDepth(effort: Effort) throws {
        let source = try deep { UInt16($0 * 13) }
        let result = try source.processed(Recipe().encoding(as: nil, effort: effort))
        #expect(result.route == .recompress && result.warnings == [])
        #expect(try result.source.info.bitDepth == 16)
        #expect(result.bytes.count < (source.byteCount ?? 0) || result.isKept && effort == .fast)
    }

    @Test func noiseIsKept() throws {
        let source = try deep()
        let best = try source.processed(Recipe().encoding(as: nil, effort: .best)).bytes
        let again = try CodecRegistry.shared.open(InputBytes(best)).processed(Recipe().encoding(as: nil, effort: .fast))
        #expect(again.isKept && again.bytes == best && again.warnings == [])
    }

    @Test func pixelsOfEightBitsWarn() throws {
        let source = try deep()
        for recipe in [
            Recipe().resizing(width: 9), Recipe().rotating(by: 90), Recipe().encoding(as: .jpeg),
            Recipe().cropping(to: PixelRectangle(x: 0, y: 0, width: 4, height: 4)),
        ] {
            #expect(try source.processed(recipe).warnings.contains(Self.warning), "\(recipe.operations)")
        }
        var palette = Recipe()
        palette.output.palette = PaletteOptions(colors: 16)
        palette.output.keepsSmallerOriginal = false
        #expect(try source.processed(palette).warnings.contains(Self.warning))
        var target = Recipe()
        target.output.target = EncodingTarget(byteLimit: 500, isBestEffort: true)
        #expect(try source.processed(target).warnings.contains(Self.warning))
    }

    /// Reducing to 8 bits is lossless if they hold every sample.
    @Test func whatFitsEightBitsBecomesEight() throws {
        let source = try deep { UInt16($0 % 256) * 257 }
        let result = try source.processed(Recipe())
        #expect(result.warnings == [])
        #expect(try result.source.info.bitDepth == 8)
        expectPixelsEqual(try result.image, try source.decodedAsStored().image)
    }

    @Test func metadataFollowsThePolicy() throws {
        var writer = PNGWriter(Self.size, .gray, bitDepth: 16)
        writer.texts = [PNGWriter.Text(keyword: "Comment", text: "hello", isUTF8: false)]
        writer.pixelsPerMetre = 3000
        let samples = (0..<(Self.size.width * Self.size.height)).map { UInt16($0 * 17) }
        let source = try CodecRegistry.shared.open(InputBytes(try writer.bytes(samples)))
        let all = try source.processed(Recipe().keepingMetadata(.all)).source.info.metadata
        #expect(all.comments.map(\.text) == ["hello"] && all.density != nil)
        let none = try source.processed(Recipe().keepingMetadata(.none)).source.info.metadata
        #expect(none.comments.isEmpty && none.density == nil)
    }

    @Test func stillImagesHaveOneFrame() throws {
        let source = try Input.source(try .smooth(Self.size))
        var recipe = Recipe().resizing(width: 9)
        let plain = try source.processed(recipe).bytes
        recipe.frame = 0
        #expect(try source.processed(recipe).bytes == plain)
        recipe.frame = 1
        #expect(throws: TexelError.missingFrame(1, count: 1)) { try source.processed(recipe) }
    }
}
