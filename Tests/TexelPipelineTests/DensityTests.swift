import TestSupport
import Testing
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelCodecs
@testable import TexelPipeline

/// The density that a recipe gives, which does not depend on the file's own.
@Suite struct DensityTests {
    private static let size = PixelSize(width: 48, height: 32)

    private static func recipe(_ density: PixelDensity? = PixelDensity(pixelsPerInch: 144)) -> Recipe {
        var recipe = Recipe()
        recipe.output.compresses = false
        recipe.output.density = density
        return recipe
    }

    private func perInch(_ density: PixelDensity?) -> [UInt64]? {
        density.map { [$0.rounded($0.horizontal, in: .perInch), $0.rounded($0.vertical, in: .perInch)] }
    }

    /// With every policy and on every route; the pixel data are copied if nothing else changes.
    @Test(arguments: MetadataPolicy.allCases, [ImageFormat.jpeg, .png])
    func densityIsSetWithEveryPolicy(policy: MetadataPolicy, format: ImageFormat) throws {
        let source = try Input.source(try .smooth(Self.size), format)
        let alone = try source.processed(Self.recipe().keepingMetadata(policy))
        #expect(alone.route == .passthrough)
        #expect(try alone.image == source.decodedAsStored().image)
        var compressing = Self.recipe()
        compressing.output.compresses = true
        let recipes = [
            compressing, Self.recipe().resizing(width: 10), Self.recipe().rotating(by: 90),
            Self.recipe().rotating(by: 10),
        ]
        for result in try [alone] + recipes.map({ try source.processed($0.keepingMetadata(policy)) }) {
            #expect(try perInch(result.source.info.metadata.density) == [144, 144], "\(result.route)")
        }
    }

    /// The recipe's density is that of the result, so it does not turn with the pixels.
    @Test func turnsKeepTheRequestedDensity() throws {
        let density = PixelDensity(horizontal: Rational(100), vertical: Rational(50), unit: .perInch)
        let source = try Input.source(try .smooth(Self.size), .jpeg)
        for recipe in [Self.recipe(density), Self.recipe(density).rotating(by: 90)] {
            #expect(try perInch(source.processed(recipe).source.info.metadata.density) == [100, 50])
        }
    }

    /// EXIF that is kept does not contradict the file.
    @Test(arguments: [MetadataPolicy.privacy, .all], [UInt16(1), 2, 3]) func densityOfEXIF(
        policy: MetadataPolicy, unit: UInt16
    ) throws {
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.make, .ascii("Texel Works"), to: \.image)
        builder.add(EXIFTag.xResolution, .rational([72, 1]), to: \.image)
        builder.add(EXIFTag.yResolution, .rational([720, 10]), to: \.image)
        builder.add(EXIFTag.resolutionUnit, .short([unit]), to: \.image)
        let bytes = try PixelBuffer.smooth(Self.size).encoded(
            as: .jpeg(JPEGOptions()), metadata: WrittenMetadata(exif: builder.block()))
        let metadata = try CodecRegistry.shared.open(InputBytes(bytes)).processed(Self.recipe().keepingMetadata(policy))
            .source.info
            .metadata
        #expect(metadata.exif?.summary.make == "Texel Works")
        #expect(metadata.exif?.density == PixelDensity(pixelsPerInch: 144))
        #expect(perInch(metadata.density) == [144, 144])
    }

    /// A JPEG from a camera has no JFIF segment; it gets one if that does not change its colours.
    @Test(arguments: [false, true]) func jfifSegmentIsAddedForTheDensity(isRGB: Bool) throws {
        let options = JPEGOptions(subsampling: .yuv444, isProgressive: false, effort: .fast)
        var bytes = try PixelBuffer.smooth(Self.size).encoded(as: .jpeg(options))
        try #require(bytes[2..<6].elementsEqual([0xFF, 0xE0, 0, 16]))
        bytes.removeSubrange(2..<20)
        if isRGB {
            // The identifiers of the components, in the frame and in the scan.
            let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
            let scan = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
            for (index, name) in "RGB".utf8.enumerated() {
                bytes[frame + 10 + 3 * index] = name
                bytes[scan + 5 + 2 * index] = name
            }
        }
        let source = try CodecRegistry.shared.open(InputBytes(bytes))
        #expect((source.info.colorModel == .rgb) == isRGB)
        let result = try source.processed(Self.recipe())
        #expect(result.route == .passthrough)
        #expect(try perInch(result.source.info.metadata.density) == (isRGB ? nil : [144, 144]))
        #expect(try result.image == source.decodedAsStored().image)
        // Nothing is added without a request.
        #expect(try source.processed(Self.recipe(nil)).bytes == bytes)
    }
}
