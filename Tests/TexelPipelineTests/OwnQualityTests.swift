import TestImageWriting
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPixels

@testable import TexelPipeline

/// A JPEG whose pixels are moved, but whose edges are inside blocks: encoded again with its own tables, trimmed, or
/// refused.
@Suite struct OwnQualityTests {
    private var quiet: Recipe {
        var recipe = Recipe()
        recipe.output.compresses = false
        return recipe
    }

    private func source(
        _ size: PixelSize, quality: Int = 93, sampling: (Int32, Int32) = (2, 2), isProgressive: Bool = false,
        orientation: Orientation = .identity
    ) throws -> any ImageFile {
        var writer = JPEGWriter(size, .yCbCr)
        writer.quality = quality
        writer.sampling = (horizontal: sampling.0, vertical: sampling.1)
        writer.isProgressive = isProgressive
        writer.segments = [
            .init(marker: 0xE1, payload: Array("Exif\0\0".utf8) + TestEXIF.block(orientation: orientation))
        ]
        let samples = try PixelBuffer.smooth(size).withUnsafeBytes { Array($0) }
        return try CodecRegistry.shared.open(InputBytes(try writer.bytes(samples)))
    }

    private static let samplings: [(Int32, Int32)] = [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1)]

    // MARK: Encoding again

    @Test(arguments: Orientation.allCases.filter { $0 != .identity })
    func theFilesOwnTablesAreUsed(orientation: Orientation) throws {
        for sampling in Self.samplings {
            let source = try source(PixelSize(width: 61, height: 43), sampling: sampling, orientation: orientation)
            let own = try #require(source.info.quantization)
            #expect(own.horizontalFactor == sampling.0 && own.verticalFactor == sampling.1)
            for effort in Effort.allCases {
                var recipe = quiet
                recipe.output.effort = effort
                let plan = try source.plan(recipe)
                guard case .impossible(.edge)? = plan.planned.encoding?.losslessTransform else { continue }
                let result = try source.processed(recipe)
                let written = try #require(try result.source.info.quantization)
                #expect(written == (orientation.swapsSides ? own.transposed : own), "\(sampling) \(effort)")
                #expect(result.warnings.count == 1)
                let warning = try #require(result.warnings.first)
                #expect(warning.hasPrefix("encoded again at its own quality (about 93): the "), "\(warning)")
                #expect(warning.contains("edge as stored"))
            }
        }
    }

    /// Turning by 180° moves whole luma blocks here; only chroma is encoded again from other blocks.
    @Test func littleIsLost() throws {
        let source = try source(PixelSize(width: 64, height: 40))
        let turned = quiet.rotating(by: 180)
        let expected = try source.decodedAsStored().image.oriented(.rotated180)
        let result = try source.processed(turned)
        #expect(result.route == .planar)
        let loss = meanDifference(try result.image, expected)
        let usual = meanDifference(try source.processed(turned.encoding(as: .jpeg, quality: 80)).image, expected)
        #expect(loss < usual / 2, "\(loss), \(usual) at quality 80")
    }

    @Test func theProcessIsKept() throws {
        for isProgressive in [true, false] {
            let source = try source(PixelSize(width: 33, height: 21), isProgressive: isProgressive)
            #expect(try source.processed(quiet.rotating(by: 180)).source.info.isProgressive == isProgressive)
            var other = quiet.rotating(by: 180)
            other.output.isProgressive = !isProgressive
            #expect(try source.processed(other).source.info.isProgressive == !isProgressive)
        }
    }

    @Test func anotherSubsamplingKeepsTheTables() throws {
        let source = try source(PixelSize(width: 33, height: 21))
        var recipe = quiet.rotating(by: 180)
        recipe.output.subsampling = .yuv444
        let info = try source.processed(recipe).source.info
        #expect(info.chromaSubsampling == "4:4:4")
        #expect(info.quantization?.tables == source.info.quantization?.tables)
    }

    /// Operations that mix pixels are encoded as usual, at the nearest quality.
    @Test func otherPixelsHaveTheNearestQuality() throws {
        for quality in [35, 80, 97] {
            let source = try source(PixelSize(width: 64, height: 48), quality: quality)
            var fast = quiet
            // Texel's own tables for a quality differ from libjpeg's.
            fast.output.effort = .fast
            for recipe in [fast.resizing(width: 40), fast.rotating(by: 7)] {
                let info = try source.processed(recipe).source.info
                #expect(info.quantization?.nearestQuality == quality)
                #expect(info.chromaSubsampling == "4:2:0")
                #expect(try source.processed(recipe).warnings == [])
            }
            var compressing = Recipe()
            compressing.output.effort = .fast
            let info = try source.processed(compressing.resizing(width: 40)).source.info
            #expect(info.quantization?.nearestQuality == OutputOptions.defaultQuality)
        }
    }

    @Test func aGivenQualityIsTaken() throws {
        let source = try source(PixelSize(width: 33, height: 21))
        var recipe = quiet.rotating(by: 180).encoding(as: nil, quality: 50)
        recipe.output.effort = .fast
        let result = try source.processed(recipe)
        #expect(try result.source.info.quantization?.nearestQuality == 50)
        #expect(result.warnings == [])
    }

    @Test func inksAndPlainRedGreenBlue() throws {
        for color in [JPEGWriter.Color.cmyk, .ycck, .rgb, .gray] {
            let size = PixelSize(width: 19, height: 13)
            var writer = JPEGWriter(size, color)
            writer.quality = 93
            writer.sampling = (1, 1)
            let samples = (0..<(size.width * size.height * (color == .gray ? 1 : 4))).map { UInt8($0 * 5 & 255) }
            let source = try CodecRegistry.shared.open(InputBytes(try writer.bytes(samples)))
            // Images that are not YCbCr are moved as pixels if coefficients are excluded.
            let plan = try Planner.plan(
                quiet.rotating(by: 180), for: source.info, to: .file(.jpeg), routes: [.buffered, .planar])
            let result = try plan.file(RouteContext(source))
            #expect(
                try result.source.info.quantization?.tables.first == source.info.quantization?.tables.first, "\(color)")
        }
    }

    // MARK: Refusing and trimming

    @Test func lossyResultsAreRefusedIfLosslessIsRequired() throws {
        var refusing = quiet
        refusing.output.isLossless = true
        let odd = try source(PixelSize(width: 64, height: 40))
        #expect(throws: TexelError.notLossless("the bottom edge as stored, at 40, is not aligned to 16 pixels")) {
            try odd.processed(refusing.rotating(by: 180))
        }
        #expect(throws: TexelError.notLossless("new pixels are encoded as a JPEG")) {
            try odd.processed(refusing.resizing(width: 20))
        }
        let even = try source(PixelSize(width: 64, height: 48))
        #expect(try even.processed(refusing.rotating(by: 180)).route == .losslessTransform)
        #expect(try odd.processed(refusing).route == .passthrough)
        // A PNG is lossless.
        let png = try Input.source(try .smooth(PixelSize(width: 19, height: 13)))
        #expect(try png.processed(refusing.rotating(by: 180)).size == PixelSize(width: 19, height: 13))
    }

    /// The size that `jpegtran -trim` keeps: all whole MCUs along mirrored sides.
    @Test(arguments: Orientation.allCases) func trimmedTransformsKeepWholeMCUs(orientation: Orientation) throws {
        for (size, sampling) in [
            (PixelSize(width: 61, height: 43), (2, 2)), (PixelSize(width: 40, height: 35), (1, 1)),
            (PixelSize(width: 47, height: 32), (2, 1)),
        ] as [(PixelSize, (Int32, Int32))] {
            let source = try source(size, sampling: sampling, orientation: orientation)
            var trimming = quiet
            trimming.output.trimsPartialBlocks = true
            let result = try source.processed(trimming)
            let (across, down) = (8 * Int(sampling.0), 8 * Int(sampling.1))
            let mirrors =
                orientation.transposes
                ? (orientation.mirrorsY, orientation.mirrorsX)
                : (
                    orientation.mirrorsX, orientation.mirrorsY
                )
            let kept = PixelSize(
                width: mirrors.0 ? size.width / across * across : size.width,
                height: mirrors.1 ? size.height / down * down : size.height)
            #expect(result.route == (orientation == .identity ? .passthrough : .losslessTransform))
            #expect(result.size == orientation.applied(to: kept))
            #expect(try result.source.info.size == result.size)
            let cut = try source.decodedAsStored().image.cropped(to: PixelRectangle(covering: kept)).oriented(
                orientation)
            // Interpolated chroma at the cut has other neighbours.
            #expect(meanDifference(try result.image, cut) < 0.5)
            let whole = orientation.applied(to: size)
            let note = ["partial blocks were cut off: \(whole) became \(result.size)"]
            #expect(result.warnings == (kept == size ? [] : note))
        }
    }

    @Test func nothingIsLeftToTrim() throws {
        var trimming = quiet.rotating(by: 180)
        trimming.output.trimsPartialBlocks = true
        let small = try source(PixelSize(width: 12, height: 40))
        #expect(throws: TexelError.notLossless("the right edge as stored, at 12, is not aligned to 16 pixels")) {
            try small.processed(trimming)
        }
    }
}
