import CLittleCMS
import TestImageWriting
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// JPEGs that become smaller without changing a coefficient.
@Suite struct LosslessCompressionTests {
    private static let size = PixelSize(width: 61, height: 43)

    private func source(
        _ color: JPEGWriter.Color = .yCbCr, quality: Int = 90, sampling: (Int32, Int32) = (2, 2),
        isProgressive: Bool = false, size: PixelSize = size
    ) throws -> any ImageFile {
        var writer = JPEGWriter(size, color)
        writer.quality = quality
        writer.sampling = (horizontal: sampling.0, vertical: sampling.1)
        writer.isProgressive = isProgressive
        let image = try PixelBuffer.noise(size, seed: 7)
        let samples: [UInt8] =
            color == .gray ? image.pixels.map { UInt8($0 & 255) } : image.withUnsafeBytes { Array($0) }
        return try CodecRegistry.shared.open(InputBytes(try writer.bytes(samples)))
    }

    private func lossless(_ effort: Effort = .balanced) -> Recipe {
        var recipe = Recipe().encoding(as: nil, effort: effort)
        recipe.output.isLossless = true
        return recipe
    }

    private static let samplings: [(Int32, Int32)] = [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2)]

    @Test func everyPixelStays() throws {
        for color in [JPEGWriter.Color.gray, .yCbCr, .rgb, .cmyk, .ycck] {
            for sampling in color == .yCbCr ? Self.samplings : [(1, 1)] {
                for isProgressive in [false, true] {
                    let source = try source(color, sampling: sampling, isProgressive: isProgressive)
                    for effort in Effort.allCases {
                        let result = try source.processed(lossless(effort))
                        let name = "\(color) \(sampling) \(isProgressive) \(effort)"
                        expectPixelsEqual(try result.image, try source.decodedAsStored().image, tolerance: 0, name)
                        #expect(result.bytes.count <= source.byteCount ?? 0, "\(name)")
                        #expect(result.route == .recompress && result.warnings == [], "\(name)")
                        #expect(try result.source.info.quantization?.tables == source.info.quantization?.tables)
                        #expect(try result.source.info.chromaSubsampling == source.info.chromaSubsampling)
                    }
                }
            }
        }
    }

    /// A file as written by fast encoders, without its own Huffman tables.
    private func plain(quality: Int) throws -> any ImageFile {
        let image = try PixelBuffer.smooth(PixelSize(width: 200, height: 150))
        return try CodecRegistry.shared.open(
            InputBytes(image.encoded(as: .jpeg(JPEGOptions(quality: quality, effort: .fast)))))
    }

    @Test func theProcessIsChosen() throws {
        let source = try plain(quality: 90)
        for isProgressive in [false, true] {
            var recipe = lossless()
            recipe.output.isProgressive = isProgressive
            #expect(try source.processed(recipe).source.info.isProgressive == isProgressive)
        }
    }

    /// A second run gains nothing.
    @Test func onceIsEnough() throws {
        let first = try source().processed(lossless())
        let second = try first.source.processed(lossless())
        #expect(second.isKept && second.bytes == first.bytes)
    }

    @Test func whatIsKeptIsOptimized() throws {
        let source = try plain(quality: 40)
        let recipe = Recipe().encoding(as: nil, quality: 95)
        let result = try source.processed(recipe)
        #expect(result.route == .recompress && !result.isKept)
        #expect(result.bytes.count < source.byteCount ?? 0)
        expectPixelsEqual(try result.image, try source.decodedAsStored().image)
        // With `fast`, no time is spent on it.
        #expect(try source.processed(recipe.encoding(as: nil, quality: 95, effort: .fast)).isKept)
    }

    @Test func turnsWithoutLoss() throws {
        let turned = try self.source(size: PixelSize(width: 64, height: 48)).processed(lossless().rotating(by: 90))
        #expect(turned.route == .losslessTransform && turned.size == PixelSize(width: 48, height: 64))
        var onlyMoved = Recipe()
        onlyMoved.output.compresses = false
        let source = try plain(quality: 90)
        let aligned = PixelRectangle(x: 0, y: 0, width: 192, height: 144)
        let (small, large) = (
            try source.processed(lossless().cropping(to: aligned).rotating(by: 90)),
            try source.processed(onlyMoved.cropping(to: aligned).rotating(by: 90))
        )
        #expect(small.bytes.count < large.bytes.count)
        expectPixelsEqual(try small.image, try large.image)
    }

    @Test func lossIsRefused() throws {
        let source = try source()
        #expect(throws: TexelError.notLossless("new pixels are encoded as a JPEG")) {
            try source.processed(lossless().resizing(width: 20))
        }
        #expect(throws: TexelError.notLossless("the bottom edge as stored, at 43, is not aligned to 16 pixels")) {
            try source.processed(lossless().rotating(by: 90))
        }
        let png = try Input.source(try .smooth(Self.size))
        #expect(throws: TexelError.notLossless("new pixels are encoded as a JPEG")) {
            try png.processed(lossless().encoding(as: .jpeg))
        }
        #expect(try png.processed(lossless()).format == .png)
    }

    @Test func damageIsNotHidden() throws {
        let whole = try source()
        let bytes = try whole.rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
        let cut = try CodecRegistry.shared.open(InputBytes(Array(bytes[..<(bytes.count * 2 / 3)])))
        #expect(throws: TexelError.self) { try cut.processed(lossless()) }
    }

    // MARK: Never larger

    /// Re-encoding that saves almost nothing is not worth its loss.
    @Test func smallGainsAreNotTaken() throws {
        let source = try source(quality: 90)
        var recipe = Recipe().encoding(as: nil, quality: 80, effort: .fast)
        recipe.output.subsampling = .yuv420
        recipe.output.minimumGain = 0
        let free = try source.processed(recipe)
        let gain = 1 - Double(free.bytes.count) / Double(source.byteCount ?? 1)
        try #require(!free.isKept && gain > 0.001 && gain < 0.5)
        recipe.output.minimumGain = gain * 0.9
        #expect(try !source.processed(recipe).isKept)
        recipe.output.minimumGain = gain * 1.1
        let kept = try source.processed(recipe)
        #expect(kept.isKept)
        expectPixelsEqual(try kept.image, try source.decodedAsStored().image)
        #expect(OutputOptions().minimumGain == 0.02)
    }

    /// A PNG is lossless, so each saved byte counts.
    @Test func losslessFormatsTakeAnyGain() throws {
        var recipe = Recipe().encoding(as: nil, effort: .best)
        recipe.output.minimumGain = 1
        #expect(try !Input.source(try .smooth(Self.size)).processed(recipe).isKept)
    }

    /// Repeated runs do not degrade an image further and further.
    @Test(arguments: [Effort.fast, .balanced]) func repeatedRunsEnd(effort: Effort) throws {
        var source = try source(quality: 95, size: PixelSize(width: 160, height: 120))
        let recipe = Recipe().encoding(as: nil, effort: effort)
        var written = 0
        for _ in 0..<5 {
            let result = try source.processed(recipe)
            if !result.isKept, result.route != .recompress { written += 1 }
            source = try result.source
        }
        #expect(written == 1)
    }

    @Test func aProfileThatIsSRGB() throws {
        let profile = try #require(Self.sRGBProfile)
        var image = try PixelBuffer.noise(Self.size, seed: 3)
        image.colorSpace = .iccProfile(profile)
        for encoding in [ImageEncoding.jpeg(JPEGOptions(quality: 30)), .png(PNGOptions(effort: .best))] {
            let source = try CodecRegistry.shared.open(InputBytes(image.encoded(as: encoding)))
            let plan = try source.plan(Recipe().keepingMetadata(.none))
            #expect(!plan.changesPixels)
            let result = try source.processed(Recipe().keepingMetadata(.none))
            #expect(try result.source.info.colorSpace == .sRGB)
            #expect(result.bytes.count < source.byteCount ?? 0)
            expectPixelsEqual(try result.image, try source.decodedAsStored().image)
        }
    }

    private static let sRGBProfile: ICCProfile? = {
        guard let handle = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(handle) }
        var count: cmsUInt32Number = 0
        cmsSaveProfileToMem(handle, nil, &count)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        cmsSaveProfileToMem(handle, &bytes, &count)
        return ICCProfile(bytes)
    }()

    /// If only the profile would be removed and the file would grow, the profile is kept, with a warning.
    @Test func aProfileThatIsWorthIt() throws {
        let wide = try CodecRegistry.shared.open(InputBytes(TestFolders.testImage("wide-gamut-profile.jpg")))
        let image = try wide.decodedAsStored().image
        let recipe = Recipe().keepingMetadata(.none).encoding(as: nil, quality: 95)
        // Conversion to sRGB makes the data larger at some qualities, and smaller at others.
        var kept: (source: any ImageFile, result: EncodedImage)?
        for quality in 1...20 where kept == nil {
            let source = try CodecRegistry.shared.open(
                InputBytes(image.encoded(as: .jpeg(JPEGOptions(quality: quality)))))
            let result = try source.processed(recipe)
            if result.isKept { kept = (source, result) }
        }
        let (source, result) = try #require(kept)
        #expect(result.bytes.count <= source.byteCount ?? 0)
        #expect(result.warnings == ["the colour profile was kept: without it the file would be larger"])
        #expect(try result.source.info.colorSpace == source.info.colorSpace)
        var forced = recipe
        forced.output.keepsSmallerOriginal = false
        #expect(try source.processed(forced).source.info.colorSpace == .sRGB)
    }

    @Test(arguments: Effort.allCases) func palettesAreNeverLarger(effort: Effort) throws {
        // Repeating rows of few colours: any dithering costs more than it saves.
        let gradient = try PixelBuffer.make(width: 256, height: 64) { x, y in 0xFF00_0000 | UInt32(x) << 8 | UInt32(y) }
        let lossless = try gradient.encoded(as: .png(PNGOptions(effort: effort)))
        for colors in [2, 16, 32, 200] {
            let options = PNGOptions(effort: effort, palette: PaletteOptions(colors: colors))
            let bytes = try gradient.encoded(as: .png(options))
            #expect(bytes.count <= lossless.count, "\(colors)")
        }
    }

    // MARK: Several widths

    /// A width above the image's own keeps the original if it does so as a single width.
    @Test func severalWidthsKeepWhatOneKeeps() async throws {
        let source = try source(quality: 90, size: PixelSize(width: 64, height: 48))
        let bytes = try source.rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
        var quiet = Recipe()
        quiet.output.compresses = false
        for base in [quiet, quiet.rotating(by: 180), Recipe().encoding(as: nil, quality: 95)] {
            let recipes = [base.resizing(width: 20), base.resizing(width: 5000)]
            let request = ImageRequest(BytesSource(bytes))
            let set = try await ImagePipeline.shared.encodedImages(for: request, recipes: recipes)
            let one = try source.processed(recipes[1])
            #expect(set[1].route == one.route || one.route == .planar)
            #expect(set[1].isKept == one.isKept)
            if one.route != .planar { #expect(set[1].bytes == one.bytes) }
            #expect(set[0].size.width == 20)
        }
    }
}
