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

    private func plan(_ source: ImageSource, _ recipe: Recipe, largest: Int) throws -> Plan {
        try Planner.plan(
            recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format),
            largestBalancedPixels: largest)
    }

    @Test(arguments: [ImageFormat.png, .jpeg], [ImageFormat.png, .jpeg])
    func lessEffortIsTakenAndSaid(input: ImageFormat, output: ImageFormat) throws {
        let source = try Input.source(try .smooth(Self.size), input)
        var recipe = Recipe().encoding(as: output, quality: output == .jpeg ? 60 : nil)
        recipe.output.keepsSmallerOriginal = false
        var fast = recipe
        fast.output.effort = .fast
        let expected = try source.processed(fast)
        let plan = try plan(source, recipe, largest: Self.size.width * Self.size.height - 1)
        let result = try plan.file(RouteContext(source))
        #expect(result.route == expected.route)
        if output == .jpeg {
            #expect(result.bytes == expected.bytes)
        } else {
            // A PNG is deflated better, in the same memory.
            #expect(result.bytes.count < expected.bytes.count)
            #expect(
                try ImageSource(InputBytes(result.bytes)).decodedAsStored(DecodeOptions()).image
                    == ImageSource(InputBytes(expected.bytes)).decodedAsStored(DecodeOptions()).image)
        }
        #expect(result.bytes != (try source.processed(recipe).bytes))
        #expect(
            result.warnings == ["encoded with effort fast, not balanced: the image is large (60×50)"])
        #expect(expected.warnings.isEmpty)
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
        let pixels = Self.size.width * Self.size.height
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

    /// The default limit: the images of the largest cameras are below it, the largest allowed images above.
    @Test(arguments: [ImageFormat.png, .jpeg]) func theLimit(format: ImageFormat) throws {
        func effort(_ width: Int, _ height: Int) throws -> Effort? {
            let info = try Input.jpegHeader(PixelSize(width: width, height: height))
            let plan = try Planner.plan(Recipe().encoding(as: nil), for: info, to: .file(format))
            return plan.planned.encoding?.output.effort
        }
        #expect(try effort(11_648, 8736) == .balanced)
        #expect(try effort(16_383, 16_383) == .fast)
    }
}
