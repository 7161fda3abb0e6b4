import TestSupport
import Testing
import TexelCodecs
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Very large images are written with less effort than requested, with a warning.
@Suite struct LargeImageTests {
    private static let size = PixelSize(width: 60, height: 50)
    private static let pixelCount = 60 * 50

    private func plan(_ source: any ImageFile, _ recipe: Recipe, largest: Int) throws -> Plan {
        try Planner.plan(
            recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format),
            largestBalancedPixels: largest)
    }

    @Test(arguments: [ImageFormat.png, .jpeg]) func aPNGTakesLessEffort(input: ImageFormat) throws {
        let source = try Input.source(try .smooth(Self.size), input)
        var recipe = Recipe().encoding(as: .png)
        recipe.output.keepsSmallerOriginal = false
        var fast = recipe
        fast.output.effort = .fast
        let expected = try source.processed(fast)
        let result = try plan(source, recipe, largest: Self.pixelCount - 1).file(RouteContext(source))
        #expect(result.route == expected.route)
        // It is deflated better than with fast effort, in the same memory.
        #expect(result.bytes.count < expected.bytes.count)
        #expect(
            try CodecRegistry.shared.open(InputBytes(result.bytes)).decodedAsStored(DecodeOptions()).image
                == CodecRegistry.shared.open(InputBytes(expected.bytes)).decodedAsStored(DecodeOptions()).image)
        #expect(result.bytes != (try source.processed(recipe).bytes))
        #expect(
            result.warnings == ["encoded with effort fast, not balanced: the image is large (60×50)"])
        #expect(expected.warnings.isEmpty)
    }

    /// A JPEG is encoded in bands, with all routes.
    @Test(arguments: [ImageFormat.png, .jpeg], [false, true]) func aJPEGIsEncodedInBands(
        input: ImageFormat, flips: Bool
    ) throws {
        let source = try Input.source(try .smooth(Self.size), input)
        var recipe = Recipe().encoding(as: .jpeg, quality: 60)
        if flips { recipe = recipe.flipping(.vertical) }
        recipe.output.keepsSmallerOriginal = false
        let whole = try source.processed(recipe)
        let plan = try plan(source, recipe, largest: Self.pixelCount - 1)
        let result = try plan.file(RouteContext(source))
        #expect(result.route == whole.route && result.warnings.isEmpty)
        #expect(plan.planned.encoding?.output.effort == .balanced)
        #expect(try !CodecRegistry.shared.open(InputBytes(result.bytes)).info.isProgressive)
        let expected = try CodecRegistry.shared.open(InputBytes(whole.bytes)).decodedAsStored(DecodeOptions()).image
        let decoded = try CodecRegistry.shared.open(InputBytes(result.bytes)).decodedAsStored(DecodeOptions()).image
        #expect(try decoded.psnr(against: expected) > 35)
        // As many restart markers as there are bands of a row of MCUs, less one.
        let markers = zip(result.bytes, result.bytes.dropFirst()).filter { $0 == 0xFF && (0xD0...0xD7).contains($1) }
        #expect(markers.count == 3)
    }

    /// Routes that need all coefficients, or the whole image, still take less effort.
    @Test func someJPEGsTakeLessEffort() throws {
        let source = try Input.source(try .smooth(Self.size))
        var progressive = Recipe().encoding(as: .jpeg)
        progressive.output.isProgressive = true
        var searched = Recipe().encoding(as: .jpeg)
        searched.output.target.byteLimit = 3000
        for recipe in [progressive, searched] {
            #expect(
                try plan(source, recipe, largest: Self.pixelCount - 1).planned.encoding?.output.effort == .fast)
            #expect(
                try plan(source, recipe, largest: Self.pixelCount).planned.encoding?.output.effort == .balanced)
        }
    }

    @Test func levelOfAPNG() throws {
        let source = try Input.source(try .smooth(Self.size), .png)
        var recipe = Recipe().encoding(as: .png)
        recipe.output.compresses = true
        recipe.output.keepsSmallerOriginal = false
        let options = try plan(source, recipe, largest: 1).planned.encoding?.encoding?.options as? PNGOptions
        #expect(options?.effort == .fast && options?.level == 7)
        #expect(PNGOptions(EncodingSettings(effort: .fast)).level == nil)
    }

    @Test func nothingElseChanges() throws {
        let source = try Input.source(try .smooth(Self.size))
        let pixels = Self.pixelCount
        let recipe = Recipe().encoding(as: .jpeg)
        #expect(try plan(source, recipe, largest: pixels).planned.encoding?.output == recipe.output)
        // The size of the result is relevant, not that of the input.
        #expect(
            try plan(source, recipe.resizing(width: 20), largest: pixels / 2).planned.encoding?.output == recipe.output)
        for effort in [Effort.fast, .best] {
            let recipe = Recipe().encoding(as: .jpeg, effort: effort)
            #expect(try plan(source, recipe, largest: 1).planned.encoding?.output == recipe.output)
        }
    }

    /// The default limits: the images of almost all cameras are below both, the largest allowed images above.
    @Test func largestImagesExceedTheDefaultLimits() throws {
        func effort(_ format: ImageFormat, _ width: Int, _ height: Int) throws -> Effort? {
            let info = try Input.jpegHeader(PixelSize(width: width, height: height))
            let plan = try Planner.plan(Recipe().encoding(as: nil), for: info, to: .file(format))
            return plan.planned.encoding?.output.effort
        }
        for format in [ImageFormat.png, .jpeg] { #expect(try effort(format, 11_648, 8736) == .balanced) }
        #expect(try effort(.png, 16_383, 16_383) == .fast)
        #expect(try effort(.jpeg, 16_383, 16_383) == .balanced)
        #expect(JPEGOptions().needsWholeImage(PixelSize(width: 9504, height: 6336)))
        #expect(!JPEGOptions().needsWholeImage(PixelSize(width: 11_648, height: 8736)))
    }
}
