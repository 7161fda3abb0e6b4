import TestSupport
import Testing
import TexelCore
import TexelFormats
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG
@testable import TexelPipeline

/// EXIF, XMP and texts after the pixels of a PNG count as much as those before them, whether the file is there or
/// still arriving.
@Suite(.timeLimit(.minutes(30))) struct LateMetadataTests {
    private static let size = PixelSize(width: 24, height: 16)

    private static let packet = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/></rdf:RDF>
        """

    private static let blocks: [(name: String, metadata: WrittenMetadata)] = [
        ("EXIF", WrittenMetadata(exif: TestEXIF.block(orientation: .rotated90))),
        ("XMP", WrittenMetadata(xmp: Array(packet.utf8))),
    ]

    /// Returns a file whose metadata are before or after the pixels.
    private static func file(_ metadata: WrittenMetadata, isLate: Bool) throws -> [UInt8] {
        let file = try PixelBuffer.smooth(size).encoded(as: .png(PNGOptions(effort: .fast)), metadata: metadata)
        guard isLate else { return file }
        let png = PNGFile(bytes: InputBytes(file))
        let moved = ["eXIf", "iTXt", "tEXt"]
        let chunks = png.chunks
        let order =
            chunks.filter { !moved.contains($0.name) && $0.name != "IEND" } + chunks.filter { moved.contains($0.name) }
            + chunks.filter { $0.name == "IEND" }
        return PNGFile.signature + order.flatMap { Array(file[$0.whole]) }
    }

    private static let recipes: [(name: String, recipe: Recipe)] = [
        ("passthrough", passthrough),
        ("compressed", Recipe()), ("resized", Recipe().resizing(width: 10)), ("JPEG", Recipe().encoding(as: .jpeg)),
        ("trimmed", Recipe().trimming()), ("as stored", asStored),
        ("cropped", Recipe().cropping(to: cropOfUpright)),
    ]

    /// An area of the upright image, 16 × 24, that is not in the stored one.
    private static let cropOfUpright = PixelRectangle(x: 2, y: 6, width: 12, height: 17)

    private static var passthrough: Recipe {
        var recipe = Recipe()
        recipe.output.compresses = false
        return recipe
    }

    private static var asStored: Recipe {
        var recipe = Recipe()
        recipe.appliesOrientation = false
        return recipe
    }

    @Test(arguments: blocks.indices, MetadataPolicy.allCases)
    func orientationIsAppliedOrKept(block: Int, policy: MetadataPolicy) async throws {
        let (early, late) = (
            try Self.file(Self.blocks[block].metadata, isLate: false),
            try Self.file(Self.blocks[block].metadata, isLate: true)
        )
        #expect(
            try CodecRegistry.shared.open(InputBytes(late)).info == CodecRegistry.shared.open(InputBytes(early)).info)
        let pipeline = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))
        for (name, recipe) in Self.recipes {
            let recipe = recipe.keepingMetadata(policy)
            func result(_ source: any ByteSource) async throws -> EncodedImage {
                try await pipeline.encodedImage(for: ImageRequest(source, recipe: recipe))
            }
            let expected = try await result(BytesSource(early))
            let orientation = try expected.source.info.orientation
            #expect(orientation == (recipe.appliesOrientation ? .identity : .rotated90), "\(name)")
            let whole = try await result(BytesSource(late))
            #expect(whole.bytes == expected.bytes, "\(name)")
            let arrived = try await result(ArrivingSource(bytes: late))
            #expect(arrived.bytes == expected.bytes, "\(name), arriving")
            #expect(arrived.warnings == expected.warnings, "\(name), arriving")
        }
    }

    @Test func pixelsAndSetsAreUpright() async throws {
        let pipeline = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))
        let late = try Self.file(Self.blocks[0].metadata, isLate: true)
        let upright = try PixelBuffer.smooth(Self.size).oriented(.rotated90)
        for source in [ArrivingSource(bytes: late) as any ByteSource, BytesSource(late)] {
            #expect(try await pipeline.image(for: ImageRequest(source)) == upright)
            let set = try await pipeline.images(
                for: ImageRequest(source), recipes: [Recipe(), Recipe().resizing(width: 8)])
            #expect(set.map(\.size) == [upright.size, PixelSize(width: 8, height: 12)])
            let cropped = Recipe().cropping(to: Self.cropOfUpright)
            #expect(
                try await pipeline.images(for: ImageRequest(source), recipes: [cropped]).map(\.size)
                    == [Self.cropOfUpright.size])
            let info = try await ImageInfo.load(from: source, limits: Limits(), pipeline: pipeline).info
            #expect(info.orientation == .rotated90)
        }
    }

    /// The limits apply to the plan for the upright image, which needs all pixels in memory.
    @Test func limitsOfThePlanForTheWholeFile() async throws {
        let pipeline = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))
        let late = try Self.file(Self.blocks[0].metadata, isLate: true)
        var needed = Limits()
        needed.plannedBytes = try CodecRegistry.shared.open(InputBytes(late)).plan(Recipe()).estimatedBytes - 1
        for source in [ArrivingSource(bytes: late) as any ByteSource, BytesSource(late)] {
            var request = ImageRequest(source)
            request.policy.limits = needed
            await #expect(throws: TexelError.self) { try await pipeline.encodedImage(for: request) }
        }
    }

    /// Texts after the pixels, which ImageMagick writes, are kept where the file is rewritten.
    @Test(arguments: [true, false]) func textsAreKept(isArriving: Bool) async throws {
        let comment = TextComment(keyword: "Title", bytes: Array("late".utf8), encoding: .latin1)
        let late = try Self.file(WrittenMetadata(comments: [comment]), isLate: true)
        let pipeline = ImagePipeline(workers: WorkerPool(width: 2, byteBudget: 64 << 20))
        for (name, recipe) in Self.recipes where name != "JPEG" && name != "cropped" {
            let source: any ByteSource = isArriving ? ArrivingSource(bytes: late) : BytesSource(late)
            let result = try await pipeline.encodedImage(
                for: ImageRequest(source, recipe: recipe.keepingMetadata(.all)))
            #expect(try result.source.info.metadata.comments == [comment], "\(name)")
        }
    }
}

/// Bytes of which the first part is delivered before the rest.
private struct ArrivingSource: ByteSource {
    let bytes: [UInt8]

    var name: String { "arriving" }
    var identity: InputIdentity { InputIdentity("arriving \(bytes.hashValue)") }

    func open(limits: Limits) async throws -> OpenedBytes {
        OpenedBytes(version: nil, count: bytes.count) { [bytes] arriving in
            // The header is read from the first part, which does not have the end of the last metadata.
            let end = bytes.count - 60
            for part in [bytes[..<end], bytes[end...]] {
                try await Task.sleep(for: .milliseconds(30))
                try Array(part).withUnsafeBytes { try arriving.append($0) }
            }
        }
    }
}
