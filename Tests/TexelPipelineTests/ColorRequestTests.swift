import TestImageWriting
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelOperations
import TexelPixels

@testable import TexelPNG
@testable import TexelPipeline

/// The pixels and colours that a recipe requests are the same on every route, also on those that copy bytes or
/// coefficients; and colours survive in every format.
@Suite struct ColorRequestTests {
    private static let inks = ["cmyk.jpg", "ycck.jpg"]

    private func recipe(_ change: (inout OutputOptions) -> Void) -> Recipe {
        var recipe = Recipe()
        change(&recipe.output)
        return recipe
    }

    // MARK: Inks

    /// Recipes that name the colours of the result.
    private var namedColors: [Recipe] {
        [
            recipe { $0.metadata = .none }, recipe { $0.colorSpace = .sRGB }, recipe { $0.colorSpace = .displayP3 },
        ]
    }

    @Test(arguments: inks) func inksBecomeTheNamedColors(name: String) throws {
        let source = try CodecRegistry.shared.open(InputBytes(TestFolders.testImage(name)))
        let pixels = try source.decodedAsStored().image
        for named in namedColors {
            for compresses in [true, false] {
                for operations in [[PixelOperation](), [.rotate(degrees: 180)], [.flip(.horizontal)]] {
                    var recipe = named
                    recipe.operations = operations
                    recipe.output.compresses = compresses
                    recipe.output.quality = compresses ? nil : 95
                    let result = try source.processed(recipe)
                    #expect(try !result.source.info.isCMYK, "\(result.route)")
                    #expect(result.warnings.contains("the CMYK colours were converted to sRGB"), "\(result.route)")
                    recipe.output.quality = nil
                    recipe.output.isLossless = true
                    #expect(throws: TexelError.self, "\(result.route)") { try source.processed(recipe) }
                }
            }
            // An unchanged size is no reason to keep the inks.
            var quiet = named.resizing(width: 5000)
            quiet.output.compresses = false
            let result = try source.processed(quiet)
            #expect(try !result.source.info.isCMYK)
            let shown = try result.image.convertedToSRGB()
            expectPixelsEqual(shown, pixels, tolerance: 60)
        }
    }

    /// Without such a request, the coefficients of inks are kept.
    @Test(arguments: inks) func inksStay(name: String) throws {
        let source = try CodecRegistry.shared.open(InputBytes(TestFolders.testImage(name)))
        for policy in MetadataPolicy.allCases where policy != .none {
            let result = try source.processed(Recipe().keepingMetadata(policy))
            #expect(result.route == .recompress && result.warnings.isEmpty)
            #expect(try result.source.info.isCMYK)
        }
        #expect(try source.processed(recipe { $0.isLossless = true }).source.info.isCMYK)
        // A subsampling is one of the encoder's, as a quality is.
        let subsampled = try source.processed(recipe { $0.subsampling = .yuv420 })
        #expect(try subsampled.source.info.chromaSubsampling == "4:2:0" && !subsampled.source.info.isCMYK)
    }

    /// A quality or a subsampling contradicts a request to keep the coefficients.
    @Test func losslessWithAnEncoding() throws {
        let source = try Input.source(try .smooth(PixelSize(width: 48, height: 32)), .jpeg)
        #expect(try source.processed(recipe { $0.isLossless = true }).route == .recompress)
        for change: (inout OutputOptions) -> Void in [{ $0.quality = 50 }, { $0.subsampling = .yuv444 }] {
            var recipe = recipe(change)
            recipe.output.isLossless = true
            #expect(throws: TexelError.self) { try source.processed(recipe) }
        }
        var quiet = recipe { $0.subsampling = .yuv444 }
        (quiet.output.compresses, quiet.output.keepsSmallerOriginal) = (false, false)
        #expect(try source.processed(quiet).source.info.chromaSubsampling == "4:4:4")
    }

    // MARK: Profiles of greys

    /// The formats whose files have one sample for a pixel with a profile of greys.
    private static let greyFormats = ImageFormat.tested.filter { ["png", "jpeg", "tiff"].contains($0.rawValue) }

    /// Operations that give colours to a grey image.
    private func colorings() throws -> [PixelOperation] {
        var square = try PixelBuffer(width: 6, height: 6, filledWith: 0xFFC0_4020, alphaMode: .opaque)
        square.colorSpace = .sRGB
        let overlay = OverlayOptions(try OverlayImage(square))
        return [
            .sepia(1), .temperature(kelvin: 3000), .border(width: 3, color: PixelColor(red: 255, green: 0, blue: 0)),
            .rotate(degrees: 30), .overlay(overlay),
        ]
    }

    /// The pixels decide whether a file is grey, not the profile: colours that operations add are the same in every
    /// format that stores profiles. (Others convert the colours first.)
    @Test(arguments: ImageFormat.tested.filter { $0.capabilities.metadata.contains(.profile) })
    func coloursOfGreyImages(format: ImageFormat) throws {
        var image = try PixelBuffer.make(width: 32, height: 20) { x, y in
            0xFF00_0000 | UInt32(40 + 5 * x + y) * 0x1_0101
        }
        image.colorSpace = .iccProfile(try grayProfile(gamma: 1.8))
        for input in Self.greyFormats {
            let bytes = try image.encoded(as: try #require(input.encoding(EncodingSettings(quality: 95))))
            let source = try CodecRegistry.shared.open(InputBytes(bytes))
            #expect(source.info.colorSpace == image.colorSpace)
            for operation in try colorings() {
                var recipe = Recipe().appending(operation)
                recipe.output.background = PixelColor(red: 200, green: 30, blue: 30)
                (recipe.output.format, recipe.output.effort) = (.png, .fast)
                let expected = try source.processed(recipe).image.convertedToSRGB()
                recipe.output.format = format
                recipe.output.subsampling = .yuv444
                for isLossless in [true, false] {
                    // A WebP with loss always halves chroma.
                    guard
                        isLossless
                            ? format.capabilities.isLossless : format.capabilities.isLossy && format.rawValue != "webp"
                    else { continue }
                    (recipe.output.isLossless, recipe.output.quality) = (isLossless, isLossless ? nil : 100)
                    let result = try source.processed(recipe).image.convertedToSRGB()
                    #expect(meanDifference(result, expected) < 3, "\(input) \(operation)")
                }
            }
        }
    }

    /// Grey images keep such a profile.
    @Test(arguments: greyFormats) func greysKeepTheirProfile(format: ImageFormat) throws {
        var image = try PixelBuffer.make(width: 32, height: 20) { x, y in
            0xFF00_0000 | UInt32(40 + 5 * x + y) * 0x1_0101
        }
        image.colorSpace = .iccProfile(try grayProfile(gamma: 1.8))
        let result = try Input.source(image).processed(Recipe().resizing(width: 16).encoding(as: format)).source
        #expect(result.info.colorSpace == image.colorSpace && result.info.colorModel == .gray)
    }

    /// An animation with a profile of greys looks the same in every format.
    @Test(arguments: ImageFormat.tested.filter { $0.capabilities.writesAnimations })
    func grayProfilesLookTheSameInEveryFormat(format: ImageFormat) throws {
        var frames: [PixelBuffer] = []
        for base in [UInt32(60), 120] {
            var frame = try PixelBuffer.make(width: 24, height: 16) { x, _ in
                0xFF00_0000 | (base + 4 * UInt32(x)) * 0x1_0101
            }
            frame.colorSpace = .iccProfile(try grayProfile(gamma: 1.2))
            frames.append(frame)
        }
        let source = try CodecRegistry.shared.open(InputBytes(GrayAnimation.bytes(frames)))
        #expect(source.info.isAnimation && source.info.colorSpace == frames[0].colorSpace)
        for recipe in [Recipe(), Recipe().resizing(width: 12), Recipe().keepingMetadata(.none)] {
            var recipe = recipe.encoding(as: format, quality: format == .png ? nil : 95, effort: .fast)
            recipe.output.keepsSmallerOriginal = false
            let result = try source.processed(recipe)
            #expect(result.warnings.allSatisfy { !$0.contains("colours") }, "\(result.warnings)")
            for (index, frame) in frames.enumerated() {
                var options = DecodeOptions()
                options.frame = index
                let found = try result.source.decodedAsStored(options).image.convertedToSRGB()
                let shown = try frame.convertedToSRGB().resized(to: found.size)
                #expect(meanDifference(found, shown) < 4, "frame \(index): \(result.route)")
            }
        }
    }

    // MARK: Wide gamut

    /// A GIF has no profile that is read, so the colours become sRGB.
    @Test(arguments: ImageFormat.tested.filter { $0.rawValue == "gif" }) func wideGamutInGIF(format: ImageFormat) throws
    {
        var image = try PixelBuffer(width: 8, height: 8, filledWith: 0xFFC8_5028, alphaMode: .opaque)
        image.colorSpace = .calibrated(TestImage.wideGamut)
        let expected = try image.convertedToSRGB()
        let result = try Input.source(image).processed(Recipe().encoding(as: format))
        #expect(try result.source.info.colorSpace == .sRGB && result.image.pixels == expected.pixels)
        #expect(result.warnings == ["the colours were converted to sRGB, because the format stores no others"])
        let direct = try image.encoded(as: try #require(format.encoding(EncodingSettings())))
        #expect(try CodecRegistry.shared.open(InputBytes(direct)).decodedAsStored().image.pixels == expected.pixels)
    }

    // MARK: Measuring

    private func meanDifference(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        guard first.size == second.size else { return .infinity }
        var sum = 0
        for y in 0..<first.height {
            for x in 0..<first.width {
                for shift in [UInt32(0), 8, 16] {
                    sum += abs(Int(first[x, y] >> shift & 255) - Int(second[x, y] >> shift & 255))
                }
            }
        }
        return Double(sum) / Double(3 * first.width * first.height)
    }
}

/// Makes animated PNGs of grey frames, as no encoder of Texel does.
private enum GrayAnimation {
    static func bytes(_ frames: [PixelBuffer]) throws -> [UInt8] {
        var result = PNGChunkWriter()
        var sequence: UInt32 = 0
        func number() -> [UInt8] {
            defer { sequence += 1 }
            return PNGChunkWriter.bigEndian(sequence)
        }
        for (index, frame) in frames.enumerated() {
            let file = PNGFile(
                bytes: InputBytes(try frame.encoded(as: .png(PNGOptions(reducesLosslessly: false, effort: .fast)))))
            let control: [UInt8] =
                [frame.width, frame.height, 0, 0].flatMap { PNGChunkWriter.bigEndian(UInt32($0)) }
                + [0, 1, 0, 10, 0, 0]
            for chunk in file.chunks where chunk.name != "IEND" {
                let data = Array(file.bytes[chunk.data])
                switch (chunk.name, index) {
                case ("IDAT", 0):
                    result.append("acTL", [UInt32(frames.count), 0].flatMap { PNGChunkWriter.bigEndian($0) })
                    result.append("fcTL", number() + control)
                    result.append("IDAT", data)
                case ("IDAT", _):
                    result.append("fcTL", number() + control)
                    result.append("fdAT", number() + data)
                case (_, 0): result.append(chunk.name, data)
                default: break
                }
            }
        }
        result.append("IEND", [])
        return result.bytes
    }
}
