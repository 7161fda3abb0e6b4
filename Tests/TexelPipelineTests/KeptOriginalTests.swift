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

/// Compressing never makes a file larger, and changes only what the recipe requests.
@Suite struct KeptOriginalTests {
    private static let size = PixelSize(width: 64, height: 48)

    @Test(arguments: [10, 50, 80, 100]) func resultIsNeverLargerThanItsOriginal(quality: Int) throws {
        for original in [5, 40, 75, 95] {
            let bytes = try PixelBuffer.smooth(Self.size).encoded(as: .jpeg(JPEGOptions(quality: original)))
            let source = try CodecRegistry.shared.open(InputBytes(bytes))
            let result = try source.processed(Recipe().encoding(as: nil, quality: quality))
            #expect(result.bytes.count <= bytes.count, "\(original) → \(quality)")
            #expect(result.format == .jpeg && result.size == Self.size)
            if result.isKept {
                expectPixelsEqual(try result.image, try source.decodedAsStored().image)
            }
        }
    }

    /// The orientation is applied if that does not make the file larger, also by moving coefficients; else it stays a
    /// tag.
    @Test(arguments: [PixelSize(width: 64, height: 48), PixelSize(width: 61, height: 45)], [Effort.fast, .balanced])
    func neverLargerUpright(size: PixelSize, effort: Effort) throws {
        var routes: Set<Route> = []
        for original in [3, 5, 60, 95] {
            for orientation in Orientation.allCases {
                let bytes = try PixelBuffer.noise(size, alphaMode: .opaque).encoded(
                    as: .jpeg(JPEGOptions(quality: original)),
                    metadata: WrittenMetadata(exif: TestEXIF.block(orientation: orientation)))
                let source = try CodecRegistry.shared.open(InputBytes(bytes))
                let result = try source.processed(Recipe().encoding(as: nil, quality: 90, effort: effort))
                let info = try result.source.info
                let name = "\(original) \(orientation)"
                #expect(result.bytes.count <= bytes.count, "\(name)")
                #expect(info.displaySize == source.info.displaySize, "\(name)")
                let isTagged = orientation != .identity && info.orientation == orientation
                #expect(isTagged == result.warnings.contains { $0.hasPrefix("the orientation was kept") }, "\(name)")
                #expect(isTagged || info.orientation == .identity, "\(name)")
                if isTagged || original <= 5 {
                    // No pixel has changed but for the rounding of a moved block.
                    let upright = try source.decodedAsStored().image.oriented(orientation)
                    let difference = try result.image.oriented(info.orientation).largestDifference(from: upright)
                    #expect(difference <= (isTagged ? 0 : 2), "\(name)")
                }
                if orientation != .identity { routes.insert(isTagged ? .passthrough : result.route) }
            }
        }
        #expect(routes.contains(.losslessTransform), "\(routes)")
        // Where blocks are cut, coefficients cannot be moved.
        #expect(size.width % 16 == 0 || routes.contains(.passthrough), "\(routes)")
    }

    /// A PNG that uses fewer bits than an encoder would is not blown up either.
    @Test func neverLargerPNG() throws {
        let image = try PixelBuffer.random(width: 40, height: 30, alphaMode: .straight)
        let best = try image.encoded(as: .png(PNGOptions(effort: .best)))
        let source = try CodecRegistry.shared.open(InputBytes(best))
        for effort in Effort.allCases {
            let result = try source.processed(Recipe().encoding(as: nil, effort: effort))
            #expect(result.bytes.count <= best.count)
            expectPixelsEqual(try result.image, image)
        }
    }

    /// A number of colours holds for targets as well: the original meets them with too many.
    @Test func targetsWithColors() throws {
        let image = try PixelBuffer.smooth(Self.size)
        let source = try CodecRegistry.shared.open(InputBytes(image.encoded(as: .png(PNGOptions(effort: .fast)))))
        var recipe = Recipe().encoding(as: nil, effort: .fast)
        recipe.output.palette = PaletteOptions(colors: 16)
        recipe.output.target = EncodingTarget(byteLimit: 1_000_000)
        let result = try source.processed(recipe)
        #expect(try !result.isKept && Set(result.image.pixels).count <= 16)
        recipe.output.target = EncodingTarget(score: 99.9)
        #expect(throws: TexelError.self) { try source.processed(recipe) }
        recipe.output.palette = nil
        #expect(try source.processed(recipe).score == 100)
    }

    @Test func keptOnlyWhereNothingElseChanges() throws {
        let bytes = try PixelBuffer.smooth(Self.size).encoded(as: .jpeg(JPEGOptions(quality: 5)))
        let source = try CodecRegistry.shared.open(InputBytes(bytes))
        let recipe = Recipe().encoding(as: nil, quality: 100)
        #expect(try source.processed(recipe).isKept)
        #expect(try !source.processed(recipe.rotating(by: 180)).isKept)
        #expect(try !source.processed(recipe.encoding(as: .png)).isKept)
        #expect(try !source.processed(recipe.cropping(to: PixelRectangle(x: 0, y: 0, width: 8, height: 8))).isKept)
        var forced = recipe
        forced.output.keepsSmallerOriginal = false
        #expect(try source.processed(forced).bytes.count > bytes.count)
    }

    /// The metadata policy also applies to a kept image.
    @Test func keptImagesLoseTheirMetadata() throws {
        let metadata = WrittenMetadata(exif: TestEXIF.block(orientation: .identity))
        let bytes = try PixelBuffer.smooth(Self.size).encoded(as: .jpeg(JPEGOptions(quality: 5)), metadata: metadata)
        let result = try CodecRegistry.shared.open(InputBytes(bytes)).processed(
            Recipe().encoding(as: nil, quality: 100))
        #expect(result.isKept && result.bytes.count < bytes.count)
        #expect(try result.source.info.metadata.exif == nil)
    }

    @Test(arguments: [(ImageFormat.jpeg, [0xFF, 0xDA] as [UInt8]), (.png, Array("IDAT".utf8))])
    func passthroughKeepsPixelDataToTheByte(format: ImageFormat, mark: [UInt8]) throws {
        let source = try Input.source(try .smooth(Self.size), format)
        var recipe = Recipe()
        recipe.output.compresses = false
        let result = try source.processed(recipe)
        #expect(result.route == .passthrough && !result.isKept)
        let original = try source.processed(recipe.keepingMetadata(.all)).bytes
        let tail = try #require(Self.tail(of: result.bytes, from: mark))
        #expect(tail == Self.tail(of: original, from: mark))
        expectPixelsEqual(try result.image, try source.decodedAsStored().image)
        #expect(try result.source.info.metadata.exif == nil)
    }

    /// The bytes from the last occurrence of `mark`.
    private static func tail(of bytes: [UInt8], from mark: [UInt8]) -> [UInt8]? {
        bytes.indices.last { bytes[$0...].starts(with: mark) }.map { Array(bytes[$0...]) }
    }
}
