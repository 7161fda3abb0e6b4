import TestSupport
import Testing
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelCodecs
@testable import TexelOperations
@testable import TexelPipeline

/// Recipes that trim, which are the recipes that crop to the content.
@Suite(.timeLimit(.minutes(30))) struct TrimRecipeTests {
    private let pipeline = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))

    /// A place whose edges are those of blocks.
    private static let content = PixelRectangle(x: 16, y: 32, width: 48, height: 16)

    /// Dark pixels on white.
    private static func framed(
        _ content: PixelRectangle = content, in size: PixelSize = PixelSize(width: 80, height: 64)
    ) throws -> PixelBuffer {
        try PixelBuffer.make(width: size.width, height: size.height) { x, y in
            let isContent =
                x >= content.x && x < content.x + content.width && y >= content.y && y < content.y + content.height
            return isContent ? 0xFF10_2040 + UInt32(x * 3 + y) : 0xFFFF_FFFF
        }
    }

    private static func bytes(
        _ image: PixelBuffer, _ format: ImageFormat = .png, orientation: Orientation = .identity
    ) throws -> [UInt8] {
        // Chroma in full size, so that no colour spreads over the edges of blocks.
        let encoding: ImageEncoding =
            format == .png
            ? .png(PNGOptions(effort: .fast)) : .jpeg(JPEGOptions(quality: 95, subsampling: .yuv444, effort: .fast))
        let exif = orientation == .identity ? nil : TestEXIF.block(orientation: orientation)
        return try image.encoded(as: encoding, metadata: WrittenMetadata(exif: exif))
    }

    private func file(_ bytes: [UInt8], _ recipe: Recipe) async throws -> EncodedImage {
        try await pipeline.encodedImage(for: ImageRequest(BytesSource(bytes), recipe: recipe))
    }

    private static var quiet: Recipe {
        var recipe = Recipe()
        recipe.output.compresses = false
        return recipe
    }

    private static let later: [@Sendable (Recipe) -> Recipe] = [
        { $0 }, { $0.resizing(width: 20) }, { $0.rotating(by: 90).resizing(width: 10) }, { $0.rotating(by: 12) },
        { $0.resizing(width: 30, height: 30, fit: .cover).flipping(.horizontal) },
        { $0.appending(.crop(size: PixelSize(width: 9, height: 9))) },
    ]

    /// A trim and what follows it give the bytes, the route and the size of a crop to the content and what follows it.
    @Test(arguments: [ImageFormat.png, .jpeg], [Orientation.identity, .rotated90, .flippedHorizontally])
    func trimsAreCrops(format: ImageFormat, orientation: Orientation) async throws {
        let stored = try Self.framed()
        let bytes = try Self.bytes(stored, format, orientation: orientation)
        let shown = try stored.oriented(orientation)
        let rectangle = try #require(shown.contentRectangle())
        #expect(rectangle.size == orientation.applied(to: Self.content.size))
        for start in [Recipe(), Self.quiet] {
            for later in Self.later {
                let trimmed = try await file(bytes, later(start.trimming()))
                let cropped = try await file(bytes, later(start.cropping(to: rectangle)))
                #expect(trimmed.bytes == cropped.bytes && trimmed.size == cropped.size)
                #expect(trimmed.route == cropped.route && trimmed.warnings == cropped.warnings)
                let request = ImageRequest(BytesSource(bytes), recipe: later(start.trimming()))
                #expect(
                    try await pipeline.image(for: request)
                        == PixelBuffer(
                            from: InputBytes(bytes), later(start.cropping(to: rectangle)), policy: DecodePolicy()))
            }
        }
    }

    /// The pixels are searched as the operations before the trim have left them.
    @Test func notTheFirstOperation() async throws {
        let bytes = try Self.bytes(Self.framed())
        let turned = try await file(bytes, Recipe().rotating(by: 90).trimming())
        #expect(turned.size == Self.content.size.transposed)
        let inverted = Recipe().appending(.negate).trimming(background: .black)
        #expect(try await file(bytes, inverted).size == Self.content.size)
        // The second trim cuts off a border that was inside the first.
        let image = try PixelBuffer.make(width: 30, height: 20) { x, y in
            let distance = min(x, y, 29 - x, 19 - y)
            return distance < 3 ? 0xFFFF_FFFF : distance < 5 ? 0xFF00_00FF : 0xFF00_0000
        }
        let twice = try await file(Self.bytes(image), Recipe().trimming().trimming())
        #expect(twice.size == PixelSize(width: 20, height: 10))
    }

    @Test func trimOfWholeBlocksIsLossless() async throws {
        let bytes = try Self.bytes(Self.framed(), .jpeg)
        let result = try await file(bytes, Self.quiet.trimming())
        #expect(result.route == .losslessTransform && result.size == Self.content.size)
        let part = try decoded(bytes).cropped(to: Self.content)
        expectPixelsEqual(try result.image, part, tolerance: 4)
        let odd = try Self.bytes(Self.framed(PixelRectangle(x: 13, y: 9, width: 40, height: 40)), .jpeg)
        #expect(try await file(odd, Self.quiet.trimming()).route == .buffered)
    }

    private func decoded(_ bytes: [UInt8]) throws -> PixelBuffer {
        try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
    }

    /// Trimming what was trimmed with the same background changes nothing, so the pixel data are copied.
    @Test(arguments: [ImageFormat.png, .jpeg]) func trimmingTwiceChangesNothing(format: ImageFormat) async throws {
        let once = try await file(Self.bytes(Self.framed(), format), Self.quiet.trimming(background: .white))
        let twice = try await file(once.bytes, Self.quiet.trimming(background: .white))
        #expect(twice.route == .passthrough && twice.bytes == once.bytes && twice.warnings.isEmpty)
    }

    @Test func imagesOfBackgroundAreKeptWithWarning() async throws {
        let bytes = try Self.bytes(PixelBuffer(width: 30, height: 20, filledWith: 0xFF80_8080, alphaMode: .opaque))
        let result = try await file(bytes, Self.quiet.trimming())
        #expect(result.route == .passthrough && result.bytes == bytes)
        #expect(result.warnings == ["nothing was trimmed: the whole image is background"])
        let small = try await file(bytes, Self.quiet.trimming().resizing(width: 15))
        #expect(small.size == PixelSize(width: 15, height: 10) && small.warnings == result.warnings)
    }

    @Test func severalSizesShareSearchAndDecode() async throws {
        let bytes = try Self.bytes(Self.framed())
        let recipes = [40, 24, 16].map { Recipe().trimming().resizing(width: $0).encoding(as: .jpeg, quality: 50 + $0) }
        let files = try await pipeline.encodedImages(for: ImageRequest(BytesSource(bytes)), recipes: recipes)
        #expect(pipeline.statistics.decodes == 2)
        #expect(files.map(\.size.width) == [40, 24, 16])
        for (recipe, result) in zip(recipes, files) {
            #expect(try await file(bytes, recipe).size == result.size)
        }
    }

    // MARK: The search

    private func search(_ recipe: Recipe, _ source: any ImageFile) throws -> TrimSearch {
        try #require(TrimSearch(recipe, for: source.info, to: .file(source.info.format)))
    }

    private func found(
        _ search: TrimSearch, _ source: any ImageFile, _ stop: StopToken? = nil
    ) throws -> TrimOperation.Finding {
        let plan = try Planner.plan(search.recipe, for: source.info, to: search.result)
        return try TrimOperation.Finding.make(plan, RouteContext(source, stop: stop))
    }

    @Test func explanationNamesTheTrimmedRectangle() throws {
        let source = try CodecRegistry.shared.open(InputBytes(Self.bytes(Self.framed())))
        let recipe = Recipe().trimming()
        let search = try search(recipe, source)
        let found = search.completed(recipe, try found(search, source))
        #expect("\(try source.plan(found))".contains("trim: the image was decoded to find its content, 48x16+16+32\n"))
        #expect(TrimSearch(found, for: source.info, to: .file(.png)) == nil)
        let blank = search.completed(recipe, .onlyBackground)
        #expect("\(try source.plan(blank))".contains("content; all of it is background\n"))
    }

    @Test func trimmedSizeIsUnknownWithoutSearch() throws {
        let source = try CodecRegistry.shared.open(InputBytes(Self.bytes(Self.framed())))
        #expect(throws: TexelError.sizeDependsOnPixels("a trim")) { try source.plan(Recipe().trimming()) }
    }

    @Test func searchesAreStopped() throws {
        let source = try CodecRegistry.shared.open(InputBytes(Self.bytes(Self.framed())))
        let stop = StopToken()
        stop.cancel()
        #expect(throws: TexelError.stopped(.cancelled)) {
            try found(search(Recipe().trimming(), source), source, stop)
        }
    }

    /// Limits apply to the pixels that are searched.
    @Test func limitsApplyToTheSearchedPixels() async throws {
        var request = ImageRequest(
            BytesSource(try Self.bytes(Self.framed())), recipe: Recipe().resizing(width: 800, enlarges: true).trimming()
        )
        request.policy.limits.pixels = 100_000
        await #expect(throws: TexelError.limitExceeded(.pixels, value: 800 * 640, allowed: 100_000)) {
            try await pipeline.image(for: request)
        }
    }

    /// Damage is found by the search with the same error.
    @Test func damageIsReportedByTheSearch() async throws {
        let bytes = Array(try Self.bytes(Self.framed(), .jpeg).dropLast(200))
        let failures = (await failure(bytes, Recipe()), await failure(bytes, Recipe().trimming()))
        #expect(failures.0 != nil && failures.0 == failures.1)
    }

    private func failure(_ bytes: [UInt8], _ recipe: Recipe) async -> TexelError? {
        do throws(TexelError) {
            _ = try await pipeline.encodedImage(for: ImageRequest(BytesSource(bytes), recipe: recipe))
            return nil
        } catch {
            return error
        }
    }

    /// The found rectangle is neither part of a caller's recipe nor of its key.
    @Test func foundRectanglesAreNotPartOfKeys() throws {
        let recipes = [
            Recipe().trimming(), Recipe().trimming(tolerance: 11), Recipe().trimming(background: .white),
            Recipe().trimming(background: .transparent), Recipe(),
        ]
        let keys = recipes.map { recipe in
            CacheKey(input: InputIdentity("file"), recipe: recipe, kind: .file, strictness: .truncated)
        }
        #expect(Set(keys).count == recipes.count)
        let decoded = try MessageDecoder.decode([Recipe].self, from: MessageEncoder.encode(recipes))
        #expect(decoded == recipes)
    }
}
