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

/// The planner's decisions, from headers alone.
@Suite struct PlanTests {
    private static let camera = PixelSize(width: 4032, height: 3024)

    private func plan(_ recipe: Recipe, _ size: PixelSize = camera) throws -> Plan {
        try Planner.plan(recipe, for: try Input.jpegHeader(size), to: .file(.jpeg))
    }

    private func resize(
        _ target: ResizeRule.Target, filter: ResamplingFilter = .lanczos3, isLinear: Bool = false
    ) -> Recipe {
        Recipe().appending(
            .resize(ResizeOptions(ResizeRule(target), filter: filter, usesLinearLight: isLinear)))
    }

    // MARK: Limits

    /// A photograph of 200 megapixels is reduced row by row within the limits for strangers' files. Whether it is
    /// progressive, or all of its pixels are needed, the plan's memory decides.
    @Test func largePhotographsAreReducedWithinUntrustedLimits() throws {
        let limits = Limits.untrusted
        let size = PixelSize(width: 16_320, height: 12_240)
        let reduced = try plan(Recipe().resizing(width: 1280), size)
        try reduced.check(limits)
        #expect(reduced.estimatedBytes < 100_000_000)
        let turned = try plan(Recipe().rotating(by: 7), size)
        #expect(throws: TexelError.limitExceeded(.plannedBytes, value: turned.estimatedBytes, allowed: 1 << 30)) {
            try turned.check(limits)
        }
        var few = limits
        few.plannedBytes = reduced.estimatedBytes - 1
        #expect(throws: TexelError.self) { try reduced.check(few) }
    }

    /// A progressive photograph keeps its coefficients in memory, of whatever scale, so the plan refuses it before
    /// libjpeg does. At an eighth, only DC coefficients are needed.
    @Test func plansOfProgressivePhotographsCountCoefficients() throws {
        let size = PixelSize(width: 16_320, height: 12_240)
        let info = try Input.jpegHeader(size, process: 0xC2, sampling: 0x11)
        // Three components of 2,040 × 1,530 blocks, each of 64 coefficients and 64 bits.
        let bytes = 3 * 2040 * 1530 * (128 + 8)
        let half = try Planner.plan(Recipe().resizing(width: 5000), for: info, to: .file(.jpeg))
        #expect(half.shrink < 8)
        #expect((bytes..<(bytes + 100_000_000)).contains(half.estimatedBytes))
        #expect(throws: TexelError.limitExceeded(.plannedBytes, value: half.estimatedBytes, allowed: 1 << 30)) {
            try half.check(.untrusted)
        }
        let thumbnail = try Planner.plan(Recipe().resizing(width: 300), for: info, to: .file(.jpeg))
        #expect(thumbnail.shrink == 8 && thumbnail.estimatedBytes < 30_000_000)
        try thumbnail.check(.untrusted)
    }

    // MARK: Sizes

    @Test func minimumSidesAreReachedWithoutEnlarging() throws {
        let recipe = Recipe().resizing(minimumWidth: 1920, minimumHeight: 1920)
        #expect(try plan(recipe).outputSize == PixelSize(width: 2560, height: 1920))
        // The size of the displayed image is relevant, before the recipe's own rotations.
        #expect(try plan(recipe.rotating(by: 90)).outputSize == PixelSize(width: 1920, height: 2560))
        #expect(try plan(recipe, PixelSize(width: 1000, height: 800)).outputSize == PixelSize(width: 1000, height: 800))
    }

    @Test func orderMatters() throws {
        let corner = PixelRectangle(x: 0, y: 0, width: 1000, height: 500)
        let cropped = try plan(Recipe().cropping(to: corner).resizing(width: 100))
        let resized = try plan(Recipe().resizing(width: 2016).cropping(to: corner))
        #expect(cropped.outputSize == PixelSize(width: 100, height: 50))
        #expect(resized.outputSize == corner.size)
        #expect(throws: TexelError.rectangleOutOfBounds(corner, PixelSize(width: 100, height: 75))) {
            try plan(Recipe().resizing(width: 100).cropping(to: corner))
        }
    }

    @Test func orderMattersForPixels() throws {
        // The left half is black, the right half white.
        let image = try PixelBuffer.make(width: 64, height: 64) { x, _ in x < 32 ? 0xFF00_0000 : 0xFFFF_FFFF }
        let source = try Input.source(image)
        let left = PixelRectangle(x: 0, y: 0, width: 32, height: 32)
        let cropped = try source.processed(Recipe().cropping(to: left).resizing(width: 16)).image
        #expect(cropped.pixels.allSatisfy { $0 == 0xFF00_0000 })
        let resized = try source.processed(Recipe().resizing(width: 32).cropping(to: left)).image
        #expect(resized[0, 0] == 0xFF00_0000 && resized[31, 0] == 0xFFFF_FFFF)
    }

    @Test func enlargingOnlyOnDemand() throws {
        let source = try Input.source(try .smooth(PixelSize(width: 20, height: 10)))
        #expect(try source.processed(Recipe().resizing(width: 40)).size == PixelSize(width: 20, height: 10))
        let large = try source.processed(Recipe().resizing(width: 40, enlarges: true))
        #expect(large.size == PixelSize(width: 40, height: 20))
    }

    @Test func coverCutsAndContainPads() throws {
        // A red image between green margins.
        let image = try PixelBuffer.make(width: 40, height: 20) { x, _ in
            (10..<30).contains(x) ? 0xFFFF_0000 : 0xFF00_FF00
        }
        let source = try Input.source(image)
        let covered = try source.processed(Recipe().resizing(width: 10, height: 10, fit: .cover, filter: .box))
        #expect(try covered.image.pixels.allSatisfy { $0 == 0xFFFF_0000 })

        var recipe = Recipe().resizing(width: 20, height: 20, fit: .contain)
        #expect(try source.processed(recipe).image[0, 0] == 0)
        recipe.output.background = .black
        let contained = try source.processed(recipe).image
        #expect(contained.size == PixelSize(width: 20, height: 20))
        #expect(contained[0, 4] == 0xFF00_0000 && contained[10, 10] == 0xFFFF_0000)
        #expect(contained[0, 15] == 0xFF00_0000)
    }

    // MARK: Shrink-on-load

    @Test(arguments: [
        (4032, 1), (2017, 1), (2016, 1), (1009, 1), (1008, 2), (505, 2), (504, 4), (253, 4), (252, 8), (10, 8),
    ])
    func shrinkLeavesTheFilterATwofoldPart(width: Int, divisor: Int) throws {
        let plan = try plan(resize(.box(width: width, height: nil, fit: .inside)))
        #expect(plan.shrink == divisor)
        #expect(plan.route == .planar)
    }

    /// The side that shrinks less determines the factor.
    @Test func shrinkOfAnotherAspect() throws {
        #expect(try plan(resize(.box(width: 252, height: 1500, fit: .fill))).shrink == 1)
        #expect(try plan(resize(.box(width: 252, height: 700, fit: .fill))).shrink == 2)
    }

    @Test func neverShrunkOnLoad() throws {
        let target = ResizeRule.Target.box(width: 100, height: nil, fit: .inside)
        #expect(try plan(resize(target)).shrink == 8)
        #expect(try plan(resize(target, filter: .nearest)).shrink == 1)
        #expect(try plan(resize(target, isLinear: true)).shrink == 1)
        let corner = PixelRectangle(x: 8, y: 8, width: 4000, height: 3000)
        let cropped = Recipe().cropping(to: corner).appending(contentsOf: resize(target))
        #expect(try plan(cropped).shrink == 1)
        #expect(try plan(cropped).route == .planar)
        let png = try Input.source(try PixelBuffer(width: 400, height: 300, filledWith: 0xFF00_0000))
        #expect(try png.plan(resize(.box(width: 10, height: nil, fit: .inside))).shrink == 1)
    }

    /// The shrunk image may be a fraction of a pixel larger than planned; nothing may be displaced.
    @Test(arguments: [PixelSize(width: 803, height: 605), PixelSize(width: 801, height: 607)])
    func shrunkenImagesStayInPlace(size: PixelSize) throws {
        let source = try Input.source(try .smooth(size), .jpeg)
        var recipe = Recipe().resizing(width: 90)
        recipe.output.format = .png
        #expect(try source.plan(recipe).shrink == 4)
        let small = try source.processed(recipe).image
        let exact = try source.decodedAsStored().image.resized(to: small.size)
        #expect(small.largestDifference(from: exact) <= 4)
    }

    // MARK: Routes

    @Test func recipesSelectTheirRoutes() throws {
        let source = try Input.source(try .smooth(PixelSize(width: 32, height: 16)), .jpeg, orientation: .rotated90)
        var untouched = Recipe()
        untouched.output.compresses = false
        untouched.appliesOrientation = false
        #expect(try source.plan(untouched).route == .passthrough)
        #expect(try source.plan(untouched.resizing(width: 1000)).route == .passthrough)
        #expect(try source.plan(untouched.rotating(by: 360)).route == .passthrough)
        #expect(try source.plan(untouched.encoding(as: nil, quality: 90)).route == .planar)
        #expect(try source.plan(untouched.encoding(as: .png)).route == .buffered)
        #expect(try source.plan(untouched.resizing(width: 8)).route == .planar)
        #expect(try source.plan(untouched.resizing(width: 8).encoding(as: .png)).route == .streaming)
        untouched.appliesOrientation = true
        #expect(try source.plan(untouched).route == .losslessTransform)
    }

    /// Operations that need pixels or other colours exclude the planar route.
    @Test func planarOnlyWithoutColorWork() throws {
        let half = ResizeRule.Target.box(width: 2016, height: nil, fit: .inside)
        #expect(try plan(resize(half)).route == .planar)
        #expect(try plan(resize(half, filter: .nearest)).route == .streaming)
        #expect(try plan(resize(half, isLinear: true)).route == .streaming)
        #expect(try plan(resize(half).rotating(by: 90)).route == .planar)
        #expect(try plan(resize(half).rotating(by: 3)).route == .streaming)
        #expect(try plan(resize(.box(width: 500, height: 500, fit: .contain))).route == .streaming)
        // A crop between two pixels that share a chroma sample.
        let odd = Recipe().cropping(to: PixelRectangle(x: 9, y: 8, width: 4000, height: 3000))
        #expect(try plan(odd.appending(contentsOf: resize(half))).route == .streaming)
    }

    /// Deciding whether chroma may be halved requires pixels, which excludes the planar route.
    @Test func colorsThatAreHalvedAreJudgedByPixels() throws {
        let lines = try PixelBuffer.make(width: 160, height: 96) { x, y in
            (x / 3 + y / 4) % 3 == 0 ? 0xFFE0_1010 : 0xFF10_10E0
        }
        let whole = try lines.encoded(as: .jpeg(JPEGOptions(quality: 90, subsampling: .yuv444, effort: .fast)))
        let source = try CodecRegistry.shared.open(InputBytes(whole))
        let recipe = Recipe().encoding(as: .jpeg, quality: 60)
        #expect(try source.plan(recipe).route == .buffered)
        #expect(try source.plan(recipe.encoding(as: .jpeg, quality: 60, effort: .fast)).route == .planar)
        #expect(try source.plan(recipe.encoding(as: .jpeg, quality: 98)).route == .buffered)
        var given = recipe
        given.output.subsampling = .yuv444
        #expect(try source.plan(given).route == .planar)
        let result = try source.plan(recipe).file(RouteContext(source))
        #expect(try CodecRegistry.shared.open(InputBytes(result.bytes)).info.chromaSubsampling == "4:4:4")
    }

    @Test func explanationNamesRouteScaleAndResult() throws {
        let text = "\(try plan(Recipe().resizing(width: 100).rotating(by: 90)))"
        #expect(text.contains("route: planar"))
        #expect(text.contains("31×31 taps"))
        #expect(text.contains("decode scale 1/8"))
        #expect(text.contains("result: 75×100 jpeg"))
    }
}

extension Recipe {
    fileprivate func appending(contentsOf other: Recipe) -> Recipe {
        other.operations.reduce(self) { $0.appending($1) }
    }

    /// Limits apply to every intermediate image, not only to the result.
    @Test func theLargestSizeIsKnown() throws {
        let size = PixelSize(width: 400, height: 300)
        let source = try Input.source(try .smooth(size))
        let turned = try size.rotated(by: 45)
        let recipe = Recipe().rotating(by: 45).cropping(to: PixelRectangle(x: 0, y: 0, width: 10, height: 10))
        let plan = try source.plan(recipe)
        #expect(plan.outputSize == PixelSize(width: 10, height: 10) && plan.largestSize == turned)
        #expect(plan.estimatedBytes >= (turned.pixelCount ?? 0) * 4)
        var limits = Limits()
        limits.pixels = (turned.pixelCount ?? 0) - 1
        let bytes = try source.rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
        #expect(throws: TexelError.limitExceeded(.pixels, value: limits.pixels + 1, allowed: limits.pixels)) {
            try PixelBuffer(from: InputBytes(bytes), recipe, policy: DecodePolicy(limits: limits))
        }
        #expect(try source.plan(Recipe().resizing(width: 40)).largestSize == PixelSize(width: 40, height: 30))
    }
}
