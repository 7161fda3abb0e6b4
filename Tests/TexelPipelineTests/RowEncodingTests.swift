import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelOperations
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Results that are encoded while they are made are those that are made first and then encoded.
@Suite struct RowEncodingTests {
    private static let size = PixelSize(width: 301, height: 203)

    private static let recipes: [Recipe] = [
        Recipe(),
        Recipe().resizing(width: 97),
        Recipe().resizing(width: 800, enlarges: true),
        Recipe().resizing(width: 30, height: 900, fit: .fill, enlarges: true),
        Recipe().cropping(to: PixelRectangle(x: 16, y: 8, width: 200, height: 170)),
        Recipe().cropping(to: PixelRectangle(x: 8, y: 40, width: 120, height: 97)).resizing(width: 80),
    ]

    /// Steps that need few rows.
    private static let steps: [[PixelOperation]] = [
        [.negate], [.blur(sigma: 2)], [.sharpen(amount: 1), .negate, .blur(sigma: 3)],
    ]

    private static func results(
        _ source: any ImageFile, _ recipe: Recipe, leastPixelsForRows: Int?, threads: Int = 1
    ) throws -> (result: EncodedImage, plan: Plan) {
        var recipe = recipe
        recipe.output.keepsSmallerOriginal = false
        let plan = try Planner.plan(
            recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format),
            leastPixelsForRows: leastPixelsForRows)
        return (try plan.file(RouteContext(source, parallelism: { threads })), plan)
    }

    private static func expectEqual(_ source: any ImageFile, _ recipe: Recipe, _ comment: Comment) throws {
        let expected = try results(source, recipe, leastPixelsForRows: nil)
        #expect(expected.plan.estimatedBytes > 0)
        for threads in [1, 2] {
            let found = try results(source, recipe, leastPixelsForRows: 1, threads: threads)
            #expect(found.result.bytes == expected.result.bytes, comment)
            #expect(found.result.warnings == expected.result.warnings, comment)
            #expect(found.result.size == expected.result.size, comment)
        }
    }

    private static func isEncodedByRows(_ source: any ImageFile, _ recipe: Recipe) throws -> Bool {
        let plan = try Planner.plan(
            recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format), leastPixelsForRows: 1)
        return (plan.planned as? StreamingRoute)?.encodesRows ?? false
    }

    private static func sources() throws -> [any ImageFile] {
        let image = try PixelBuffer.smooth(size)
        let gray = try PixelBuffer.make(width: size.width, height: size.height) { x, y in
            0xFF00_0000 | UInt32((x * 3 + y) % 256) * 0x01_0101
        }
        let translucent = try PixelBuffer.make(width: size.width, height: size.height, alphaMode: .straight) { x, y in
            UInt32((x + y) % 256) << 24 | UInt32(x % 256) << 8
        }
        return try [image, gray, translucent].map { try Input.source($0, .png) } + [try Input.source(image, .jpeg)]
    }

    @Test(arguments: [ImageFormat.png, .jpeg]) func rowsEncodeLikeWholeImages(format: ImageFormat) throws {
        for (number, source) in try Self.sources().enumerated() {
            for (index, recipe) in Self.recipes.enumerated() {
                let recipe = recipe.encoding(as: format, quality: format == .jpeg ? 80 : nil, effort: .fast)
                let comment: Comment = "source \(number), recipe \(index)"
                if number < 2 { #expect(try Self.isEncodedByRows(source, recipe), comment) }
                try Self.expectEqual(source, recipe, comment)
            }
        }
    }

    @Test(arguments: steps.indices) func streamedStepsAreEncodedByRows(index: Int) throws {
        let size = PixelSize(width: 120, height: 1500)
        let source = try Input.source(try .smooth(size), .png)
        for recipe in [Recipe(), Recipe().resizing(width: 110)] {
            let recipe = Self.steps[index].reduce(recipe) { $0.appending($1) }.encoding(as: .png, effort: .fast)
            #expect(try Self.isEncodedByRows(source, recipe))
            try Self.expectEqual(source, recipe, "steps \(index)")
        }
    }

    /// The encoder's bands have fewer rows than those of the steps, so that a step can complete several.
    @Test func bandsLowerThanThoseOfSteps() throws {
        let source = try Input.source(try .smooth(PixelSize(width: 12_000, height: 150)), .png)
        let recipe = Recipe().appending(.negate).encoding(as: .png, effort: .fast)
        #expect(try Self.isEncodedByRows(source, recipe))
        try Self.expectEqual(source, recipe, "low bands")
    }

    /// Colours are converted while rows are read, and the result is labelled.
    @Test(arguments: [ImageFormat.png, .jpeg], [ImageFormat.png, .jpeg])
    func colorsAreConvertedWhileRowsAreRead(input: ImageFormat, output: ImageFormat) throws {
        var image = try PixelBuffer.smooth(Self.size)
        image.colorSpace = .displayP3
        let source = try Input.source(image, input)
        for recipe in [
            Recipe().keepingMetadata(.none), Recipe().converting(to: .sRGB).resizing(width: 250),
            Recipe().converting(to: .codePoints(try #require(CICP(primaries: 9, transfer: 13)))),
        ] {
            let recipe = recipe.encoding(as: output, quality: output == .jpeg ? 90 : nil, effort: .fast)
            #expect(try Self.isEncodedByRows(source, recipe))
            try Self.expectEqual(source, recipe, "\(recipe.output)")
            let streamed = try Self.results(source, recipe, leastPixelsForRows: nil)
            #expect(streamed.plan.route == .streaming)
            let buffered = try Planner.plan(recipe, for: source.info, to: .pixels, routes: [.buffered])
            let expected = try buffered.pixels(RouteContext(source, parallelism: { 2 }))
            #expect(try streamed.plan.pixels(RouteContext(source)) == expected)
        }
    }

    /// A profile that is equivalent to sRGB is no reason to have the image in memory, nor to pass its rows through a
    /// step.
    @Test func profilesEquivalentToSRGBNeedNoStep() throws {
        var image = try PixelBuffer.smooth(Self.size)
        image.colorSpace = .calibrated(Calibration(gamma: 45_000, chromaticities: nil))
        let source = try Input.source(image, .png)
        let recipe = Recipe().keepingMetadata(.none).encoding(as: .png, effort: .fast)
        #expect(try Self.isEncodedByRows(source, recipe))
        try Self.expectEqual(source, recipe, "label")
        let result = try Self.results(source, recipe, leastPixelsForRows: nil)
        #expect(result.plan.route == .buffered)
        #expect(try result.result.source.info.colorSpace == .sRGB && result.result.image.pixels == image.pixels)
    }

    /// The estimate of memory does not grow with the height of an image whose colours are converted.
    @Test func memoryOfConvertedColors() throws {
        let estimates = try [4000, 40_000].map { height in
            var info = try Input.jpegHeader(PixelSize(width: 4000, height: height))
            info.colorSpace = .displayP3
            let recipe = Recipe().keepingMetadata(.none).encoding(as: .png, effort: .fast)
            return try Planner.plan(recipe, for: info, to: .file(.png)).estimatedBytes
        }
        #expect(estimates[0] == estimates[1])
    }

    /// Planes are filtered through a window.
    @Test(arguments: [ChromaSubsampling.yuv444, .yuv422, .yuv420], [ChromaSubsampling.yuv444, .yuv420])
    func planesEncodeByRowsLikeWholeImages(input: ChromaSubsampling, output: ChromaSubsampling) throws {
        let options = JPEGOptions(quality: 95, subsampling: input, effort: .fast)
        let image = try PixelBuffer.smooth(Self.size)
        let gray = try PixelBuffer.make(width: 200, height: 100) { x, y in 0xFF00_0000 | UInt32(x) * 0x01_0101 }
        var unreduced = options
        unreduced.reducesLosslessly = false
        for bytes in [
            try image.encoded(as: .jpeg(options)), try gray.encoded(as: .jpeg(options)),
            // Grey in three components.
            try gray.encoded(as: .jpeg(unreduced)),
        ] {
            let source = try CodecRegistry.shared.open(InputBytes(bytes))
            // Without the crops, which may cut through a sample.
            for (index, recipe) in Self.recipes.prefix(4).enumerated() {
                var recipe = recipe.encoding(as: .jpeg, quality: 80, effort: .fast)
                recipe.output.subsampling = output
                #expect(try Planner.plan(recipe, for: source.info, to: .file(.jpeg)).route == .planar)
                try Self.expectEqual(source, recipe, "recipe \(index)")
            }
        }
    }

    /// Recipes that need pixels before the first row, or the whole image.
    @Test func whatIsMadeFirst() throws {
        let source = try Input.source(try .smooth(Self.size), .png)
        let fast = Recipe().encoding(as: .png, effort: .fast)
        #expect(try Self.isEncodedByRows(source, fast))
        #expect(try !Self.isEncodedByRows(source, Recipe().encoding(as: .png)))
        #expect(try !Self.isEncodedByRows(source, fast.rotating(by: 90)))
        #expect(try !Self.isEncodedByRows(source, fast.flipping(.vertical)))
        var target = fast
        target.output.target.byteLimit = 100_000
        #expect(try !Self.isEncodedByRows(source, target))
        var palette = fast
        palette.output.palette = PaletteOptions(colors: 8)
        #expect(try !Self.isEncodedByRows(source, palette))
        let plan = try Planner.plan(fast, for: source.info, to: .file(.png))
        #expect(plan.route == .buffered, "a small image is in memory as a whole")
    }

    /// Metadata after the pixels are written before them.
    @Test func metadataAfterThePixels() throws {
        let plain = try PixelBuffer.smooth(Self.size).encoded(as: .png(PNGOptions(effort: .fast)))
        let text = TextComment(bytes: Array("behind".utf8), encoding: .utf8)
        let comment = try PixelBuffer.smooth(PixelSize(width: 1, height: 1)).encoded(
            as: .png(PNGOptions(effort: .fast)), metadata: WrittenMetadata(comments: [text]))
        // The chunk tEXt or iTXt between IHDR and IDAT.
        let begin = 8 + 25
        let count = Int(comment[begin + 2]) << 8 + Int(comment[begin + 3]) + 12
        let chunk = comment[begin..<(begin + count)]
        let source = try CodecRegistry.shared.open(InputBytes(plain.dropLast(12) + chunk + plain.suffix(12)))
        var recipe = Recipe().encoding(as: .png, effort: .fast)
        recipe.output.metadata = .all
        try Self.expectEqual(source, recipe, "")
        let result = try Self.results(source, recipe, leastPixelsForRows: 1).result
        #expect(
            try CodecRegistry.shared.open(InputBytes(result.bytes)).info.metadata.comments.map(\.text) == ["behind"])
    }

    /// A smaller original is kept, although the result went to a file already.
    @Test func smallerOriginalsAreKept() throws {
        let folder = try TemporaryDirectory()
        let options = PNGOptions(effort: .best)
        let bytes = try PixelBuffer.smooth(Self.size).encoded(as: .png(options))
        let source = try CodecRegistry.shared.open(InputBytes(bytes))
        let plan = try Planner.plan(
            Recipe().encoding(as: .png, effort: .fast), for: source.info, to: .file(.png), leastPixelsForRows: 1)
        let place = OutputPlace(FilePath(folder("out.png")), replacing: .nothing)
        let image = try plan.file(RouteContext(source, output: ResultOutput(place, byteLimit: 1000)))
        guard case .file = image.content else {
            Issue.record("the bytes are in memory")
            return
        }
        #expect(image.isKept && image.byteCount == bytes.count && image.bytes == bytes)
        _ = try AtomicFile.write(image.content, at: place)
        #expect(try folder.contents() == ["out.png": bytes])
    }

    /// The error of a file that cannot be written is the error of the work.
    @Test func outputsThatFail() throws {
        let folder = try TemporaryDirectory()
        let source = try Input.source(try .smooth(Self.size), .png)
        try folder.add("file", [])
        let path = FilePath(folder("file/out.png"))
        let plan = try Planner.plan(
            Recipe().encoding(as: .jpeg, quality: 100, effort: .fast), for: source.info, to: .file(.jpeg),
            leastPixelsForRows: 1)
        let output = ResultOutput(OutputPlace(path, replacing: .nothing), byteLimit: 100)
        #expect(throws: TexelError.cannotCreate(FilePath(folder("file")), .fileExists)) {
            try plan.file(RouteContext(source, output: output))
        }
        #expect(try folder.files() == ["file"])
    }
}
