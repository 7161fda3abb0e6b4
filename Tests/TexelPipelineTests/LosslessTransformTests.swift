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

/// When coefficients are moved instead of pixels, and that the result is the same.
@Suite struct LosslessTransformTests {
    /// Three by two blocks of 16 × 16 pixels.
    private static let aligned = PixelSize(width: 48, height: 32)

    /// A recipe that requires no new pixels.
    private var quiet: Recipe {
        var recipe = Recipe()
        recipe.output.compresses = false
        return recipe
    }

    private func source(
        _ size: PixelSize = aligned, _ options: JPEGOptions = JPEGOptions(), orientation: Orientation = .identity
    ) throws -> any ImageFile {
        let metadata = WrittenMetadata(
            exif: TestEXIF.block(orientation: orientation), density: PixelDensity(jfifUnit: 1, x: 300, y: 200))
        return try CodecRegistry.shared.open(
            InputBytes(PixelBuffer.smooth(size).encoded(as: .jpeg(options), metadata: metadata)))
    }

    // MARK: Decision

    @Test(arguments: Orientation.allCases) func uprightWithoutLoss(orientation: Orientation) throws {
        let source = try source(orientation: orientation)
        let plan = try source.plan(quiet)
        #expect(plan.route == (orientation == .identity ? .passthrough : .losslessTransform))
        let result = try source.processed(quiet)
        #expect(result.route == plan.route && result.size == orientation.applied(to: Self.aligned))
        #expect(try result.source.info.orientation == .identity)
        expectPixelsEqual(try result.image, try source.decodedAsStored().image.oriented(orientation), tolerance: 5)
        #expect(try source.plan(quiet.rotating(by: 90).flipping(.vertical)).route != .buffered)
    }

    @Test func whatAsksForNewPixels() throws {
        let source = try source()
        let turned = quiet.rotating(by: 90)
        #expect(try source.plan(turned).route == .losslessTransform)
        #expect(try source.plan(turned.encoding(as: .png)).route == .buffered)
        #expect(try source.plan(turned.rotating(by: 10)).route == .buffered)
        #expect(try source.plan(turned.resizing(width: 16)).route != .losslessTransform)
        #expect(try source.plan(Recipe().rotating(by: 90)).route == .planar)
        // None of these requires other coefficients.
        #expect(try source.plan(turned.flattening(on: .black).resizing(width: 1000)).route == .losslessTransform)
        #expect(try source.plan(turned.keepingMetadata(.none)).route == .losslessTransform)
        var progressive = quiet
        progressive.output.isProgressive = true
        #expect(try source.plan(progressive).route == .losslessTransform)
        #expect(try Input.source(try .smooth(Self.aligned)).plan(turned).route == .buffered)
    }

    @Test func theReasonIsTold() throws {
        func explanation(_ recipe: Recipe, _ source: any ImageFile) throws -> String { "\(try source.plan(recipe))" }
        let turned = quiet.rotating(by: 90)
        #expect(try explanation(turned, source()).contains("route: lossless-transform"))
        #expect(try explanation(turned, source()).contains("load: all coefficients"))
        let odd = try source(PixelSize(width: 48, height: 33))
        #expect(
            try explanation(turned, odd).contains(
                "not lossless-transform: the bottom edge as stored, at 33, is not aligned to 16 pixels"))
        #expect(try explanation(turned.encoding(as: nil, quality: 90), source()).contains("a quality is requested"))
        var subsampled = turned
        subsampled.output.subsampling = .yuv444
        #expect(try explanation(subsampled, source()).contains("a chroma subsampling is requested"))
        #expect(try !explanation(turned.resizing(width: 20), source()).contains("lossless-transform"))
    }

    @Test func coloursThatAreConverted() throws {
        let source = try CodecRegistry.shared.open(InputBytes(TestFolders.testImage("wide-gamut-profile.jpg")))
        let turned = quiet.rotating(by: 180)
        #expect(try source.plan(turned).route == .losslessTransform)
        #expect(try source.processed(turned).source.info.colorSpace == source.info.colorSpace)
        let plan = try source.plan(turned.keepingMetadata(.none))
        #expect(plan.route == .buffered && "\(plan)".contains("the colours are converted"))
    }

    // MARK: Result

    /// Random crops, turns and flips: of blocks if possible, else of pixels, always with the same size.
    @Test(arguments: Orientation.allCases) func randomMovesKeepTheExpectedSize(orientation: Orientation) throws {
        var generator = SeededGenerator(seed: UInt64(orientation.rawValue))
        var routes: [Route: Int] = [:]
        for _ in 0..<40 {
            let size = PixelSize(
                width: Int.random(in: 9...60, using: &generator), height: Int.random(in: 9...60, using: &generator))
            let source = try source(size, JPEGOptions(quality: 95, subsampling: .yuv444), orientation: orientation)
            var recipe = quiet
            var expected = try source.decodedAsStored().image.oriented(orientation)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let operation = Self.move(of: expected.size, &generator)
                recipe.operations.append(operation)
                expected = try operation.applied(to: expected, background: .white)
            }
            let result = try source.processed(recipe)
            routes[result.route, default: 0] += 1
            #expect(result.size == expected.size, "\(size) \(recipe.operations)")
            if result.route == .losslessTransform {
                // 4:4:4: the samples differ by one step.
                expectPixelsEqual(try result.image, expected, tolerance: 3, "\(size) \(recipe.operations)")
            }
        }
        #expect(routes[.losslessTransform, default: 0] > 0 && routes[.buffered, default: 0] > 0)
    }

    /// A random move; three of four crops begin at multiples of 8 pixels.
    private static func move(of size: PixelSize, _ generator: inout SeededGenerator) -> PixelOperation {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return .flip(Bool.random(using: &generator) ? .horizontal : .vertical)
        case 1: return .rotate(degrees: Double(Int.random(in: -5...5, using: &generator)) * 90)
        default:
            let isAligned = Int.random(in: 0..<4, using: &generator) > 0
            var x = Int.random(in: 0..<size.width, using: &generator)
            var y = Int.random(in: 0..<size.height, using: &generator)
            if isAligned { (x, y) = (x / 8 * 8, y / 8 * 8) }
            return .crop(
                PixelRectangle(
                    x: x, y: y, width: Int.random(in: 1...(size.width - x), using: &generator),
                    height: Int.random(in: 1...(size.height - y), using: &generator)))
        }
    }

    @Test func metadataFollowTheTransform() throws {
        let source = try source(orientation: .rotated90)
        for policy in MetadataPolicy.allCases {
            let info = try source.processed(quiet.keepingMetadata(policy)).source.info
            #expect(info.orientation == .identity && info.size == Self.aligned.transposed)
            let density = PixelDensity(jfifUnit: 1, x: 200, y: 300)
            #expect(info.metadata.density == (policy == .none ? nil : density))
            #expect((info.metadata.exif?.summary.date != nil) == (policy == .privacy || policy == .all))
        }
        var lying = quiet.rotating(by: 180)
        lying.appliesOrientation = false
        let kept = try source.processed(lying)
        #expect(kept.route == .losslessTransform && kept.size == Self.aligned)
        #expect(try kept.source.info.orientation == .rotated90)
    }

    /// Coding the same coefficients again never makes a file larger.
    @Test func theSmallerOriginalIsKept() throws {
        let size = PixelSize(width: 16, height: 16)
        let source = try source(size, JPEGOptions(quality: 5, isProgressive: false))
        var recipe = quiet.keepingMetadata(.none)
        recipe.output.isProgressive = true
        let result = try source.processed(recipe)
        #expect(result.route == .losslessTransform)
        recipe.output.keepsSmallerOriginal = false
        let forced = try source.processed(recipe)
        #expect(result.bytes.count <= forced.bytes.count)
        #expect(try result.isKept == !result.source.info.isProgressive)
    }

    @Test func damagedFilesFailAsInDecoding() throws {
        // Noise, so that most of the file is its scan.
        let bytes = try PixelBuffer.noise(Self.aligned, alphaMode: .opaque)
            .encoded(as: .jpeg(JPEGOptions(effort: .fast)))
        let cut = try CodecRegistry.shared.open(InputBytes(Array(bytes.prefix(bytes.count * 2 / 3))))
        let recipe = quiet.rotating(by: 90)
        let plan = try cut.plan(recipe)
        #expect(plan.route == .losslessTransform)
        for strictness in [Strictness.truncated, .error, .warning] {
            var options = DecodeOptions()
            options.policy.strictness = strictness
            var expected: TexelError?
            do { _ = try cut.decodedAsStored(options) } catch { expected = error }
            let error = try #require(expected)
            #expect(throws: error) {
                try plan.file(RouteContext(cut, policy: DecodePolicy(strictness: strictness)))
            }
        }
        let result = try plan.file(RouteContext(cut, policy: DecodePolicy(strictness: .none)))
        #expect(result.size == Self.aligned.transposed && !result.warnings.isEmpty)
    }
}
