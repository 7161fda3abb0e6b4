import TestSupport
import Testing
import TexelCodecs
import TexelFormats
import TexelJPEG
import TexelOperations
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// The same recipe on every possible route. Routes may differ in rounding only.
@Suite struct RouteAgreementTests {
    /// The tolerance of a channel on the planar route, which filters chroma once, while the other routes interpolate
    /// it and average it again. On average, routes differ by less than one rounding.
    private static let tolerance = 9
    private static let meanTolerance = 1.0

    static let recipes: [Recipe] = [
        Recipe().resizing(width: 40),
        Recipe().resizing(width: 33, height: 21, fit: .fill),
        Recipe().resizing(width: 31, height: 31, fit: .cover),
        Recipe().resizing(width: 37).rotating(by: 90),
        Recipe().flipping(.horizontal).resizing(width: 45),
        Recipe().cropping(to: PixelRectangle(x: 8, y: 4, width: 80, height: 60)).resizing(width: 29),
        Recipe().resizing(width: 151, enlarges: true),
        Recipe().rotating(by: 270),
        Recipe().flipping(.vertical),
        Recipe(),
        Recipe().cropping(to: crop),
        Recipe().cropping(to: crop).flipping(.horizontal),
    ]

    /// A crop at the edges of chroma samples, so that planes can be cropped.
    private static let crop = PixelRectangle(x: 16, y: 8, width: 40, height: 32)

    @Test(arguments: Orientation.allCases, [ChromaSubsampling.yuv444, .yuv422, .yuv420])
    func planarAndPixels(orientation: Orientation, subsampling: ChromaSubsampling) throws {
        for size in [PixelSize(width: 112, height: 80), PixelSize(width: 101, height: 75)] {
            let source = try Self.source(size, orientation, subsampling)
            for (index, recipe) in Self.recipes.enumerated() where Self.fits(recipe, size, orientation) {
                for output in [ChromaSubsampling.yuv444, .yuv420] {
                    var recipe = recipe.encoding(as: .jpeg, quality: 98, effort: .fast)
                    recipe.output.subsampling = output
                    recipe.output.keepsSmallerOriginal = false
                    let planar = try Self.result(source, recipe, .planar)
                    let comment: Comment = "recipe \(index), \(size), \(subsampling) → \(output)"
                    for route in [Route.streaming, .buffered] {
                        let other = try Self.result(source, recipe, route)
                        #expect(planar.size == other.size, comment)
                        #expect(planar.largestDifference(from: other) <= Self.tolerance, comment)
                        #expect(planar.meanDifference(from: other) <= Self.meanTolerance, comment)
                    }
                }
            }
        }
    }

    /// Crops that planes allow, moves and resizes in any order, with both encoders.
    @Test(arguments: [Effort.fast, .balanced], [ChromaSubsampling.yuv444, .yuv420])
    func routesAgreeForAnyOrderOfOperations(effort: Effort, subsampling: ChromaSubsampling) throws {
        var generator = SeededGenerator(seed: 41)
        var planarCount = 0
        for round in 0..<80 {
            let orientation = Orientation.allCases.randomElement(using: &generator) ?? .identity
            let source = try Self.source(PixelSize(width: 96, height: 64), orientation, subsampling)
            var recipe = Recipe().encoding(as: .jpeg, quality: 98, effort: effort)
            recipe.output.keepsSmallerOriginal = false
            recipe.output.subsampling = subsampling
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                recipe.operations.append(Self.operation(&generator))
            }
            guard let plan = try? source.plan(recipe) else { continue }
            planarCount += plan.route == .planar ? 1 : 0
            let planar = try Self.result(source, recipe, .planar)
            let buffered = try Self.result(source, recipe, .buffered)
            let comment: Comment = "round \(round), \(orientation), \(recipe.operations)"
            #expect(planar.size == plan.outputSize, comment)
            #expect(planar.size == buffered.size, comment)
            #expect(planar.largestDifference(from: buffered) <= Self.tolerance, comment)
        }
        #expect(planarCount > 20)
    }

    private static func operation(_ generator: inout SeededGenerator) -> PixelOperation {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            let (x, y) = (Int.random(in: 0...4, using: &generator) * 4, Int.random(in: 0...4, using: &generator) * 4)
            return .crop(PixelRectangle(x: x, y: y, width: 32, height: 24))
        case 1: return .flip([.horizontal, .vertical].randomElement(using: &generator) ?? .vertical)
        case 2: return .rotate(degrees: Double(Int.random(in: 1...3, using: &generator)) * 90)
        default:
            let rule = ResizeRule(.box(width: Int.random(in: 20...48, using: &generator), height: nil, fit: .inside))
            return .resize(ResizeOptions(rule))
        }
    }

    /// A file has the size of its result, with every encoder.
    @Test(arguments: Effort.allCases, [ImageFormat.jpeg, .png]) func filesHaveTheSizeOfTheirPlan(
        effort: Effort, input: ImageFormat
    ) throws {
        let source = try Input.source(try .smooth(PixelSize(width: 112, height: 80)), input)
        for (index, recipe) in Self.recipes.enumerated() {
            for quality in [nil, 50] {
                let recipe = recipe.encoding(as: .jpeg, quality: quality, effort: effort)
                let plan = try source.plan(recipe)
                let result = try source.processed(recipe)
                let comment: Comment = "recipe \(index), \(plan.route)"
                #expect(result.size == plan.outputSize, comment)
                #expect(try result.source.info.size == plan.outputSize, comment)
            }
        }
    }

    /// The streaming route gives exactly the pixels of the buffered one.
    @Test func streamingAndBuffered() throws {
        let source = try Input.source(try .noise(PixelSize(width: 90, height: 61), alphaMode: .straight, seed: 4))
        for recipe in Self.recipes.prefix(5) {
            let streamed = try Self.result(source, recipe, .streaming)
            #expect(streamed == (try Self.result(source, recipe, .buffered)))
        }
    }

    /// One thread or two: the same bytes on every route.
    @Test(arguments: [Route.planar, .streaming]) func threadsChangeNothing(route: Route) throws {
        let source = try Self.source(PixelSize(width: 300, height: 517), .rotated90, .yuv420)
        for recipe in Self.recipes {
            var recipe = recipe.encoding(as: route == .planar ? .jpeg : .png, quality: 70, effort: .fast)
            recipe.output.keepsSmallerOriginal = false
            let plan = try source.plan(recipe)
            let alone = try plan.file(RouteContext(source, parallelism: { 1 }))
            let together = try plan.file(RouteContext(source, parallelism: { 2 }))
            #expect(alone.bytes == together.bytes)
        }
    }

    /// A colour JPEG whose pixels are all grey is written as a grey one, as on the pixel routes.
    @Test(arguments: [Recipe(), Recipe().resizing(width: 20)]) func neutralImagesBecomeGray(recipe: Recipe) throws {
        let file = try Self.neutralColorFile(PixelSize(width: 64, height: 48))
        let source = try CodecRegistry.shared.open(InputBytes(file))
        #expect(source.info.colorModel == .yCbCr)
        var recipe = recipe.encoding(as: .jpeg, quality: 60, effort: .fast)
        recipe.output.keepsSmallerOriginal = false
        #expect(try source.plan(recipe).route == .planar)
        let result = try source.processed(recipe)
        #expect(try result.source.info.colorModel == .gray)
    }

    // MARK: Helpers

    /// A YCbCr JPEG at 4:2:0 with neutral chroma.
    private static func neutralColorFile(_ size: PixelSize) throws -> [UInt8] {
        let luma = try Plane(size)
        let chroma = try Plane(PixelSize(width: size.width / 2, height: size.height / 2))
        luma.withUnsafeSamples { samples in
            for index in 0..<(luma.bytesPerRow * luma.height) { samples[index] = UInt8(index * 7 / 64 % 200) }
        }
        chroma.withUnsafeSamples { $0.update(repeating: 128, count: chroma.bytesPerRow * chroma.height) }
        let options = JPEGOptions(quality: 90, subsampling: .yuv420, effort: .fast)
        let encoder = options.planeEncoder(EncodingContext())
        let writer = try encoder.writer(size, isGray: false, colorSpace: .sRGB)
        for row in 0..<(size.height / 16) {
            let rows = encoder.rows(ofBlockRow: row, heights: [luma.height, chroma.height, chroma.height])
            try writer.write(rows, of: [luma, chroma, chroma])
        }
        return try writer.finish().inMemory
    }

    private static func source(
        _ size: PixelSize, _ orientation: Orientation, _ subsampling: ChromaSubsampling
    ) throws -> any ImageFile {
        let metadata = WrittenMetadata(exif: TestEXIF.block(orientation: orientation))
        let options = JPEGOptions(quality: 98, subsampling: subsampling, effort: .fast)
        let bytes = try PixelBuffer.smooth(size).encoded(as: .jpeg(options), metadata: metadata)
        return try CodecRegistry.shared.open(InputBytes(bytes))
    }

    private static func fits(_ recipe: Recipe, _ size: PixelSize, _ orientation: Orientation) -> Bool {
        (try? Planner.plan(
            recipe, for: try source(size, orientation, .yuv420).info, to: .file(.jpeg))) != nil
    }

    private static func result(_ source: any ImageFile, _ recipe: Recipe, _ route: Route) throws -> PixelBuffer {
        let plan = try Planner.plan(
            recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format),
            routes: [route, .buffered])
        return try plan.file(RouteContext(source)).image
    }
}
