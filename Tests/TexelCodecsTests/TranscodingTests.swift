import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// Compares moved coefficients with moved pixels.
@Suite struct TranscodingTests {
    /// A colour model with the number of luma samples per chroma sample in each direction.
    struct Kind: Sendable, CustomTestStringConvertible {
        var color: JPEGWriter.Color
        var across: Int32 = 1
        var down: Int32 = 1
        var isProgressive = false

        var testDescription: String { "\(color) \(across)x\(down)\(isProgressive ? " progressive" : "")" }

        /// The size of an MCU in pixels.
        var unit: PixelSize { PixelSize(width: 8 * Int(across), height: 8 * Int(down)) }
    }

    static let kinds = [
        Kind(color: .gray), Kind(color: .yCbCr), Kind(color: .yCbCr, across: 2), Kind(color: .yCbCr, down: 2),
        Kind(color: .yCbCr, across: 2, down: 2), Kind(color: .yCbCr, across: 4),
        Kind(color: .yCbCr, across: 2, down: 2, isProgressive: true), Kind(color: .rgb), Kind(color: .cmyk),
        Kind(color: .ycck, across: 2, down: 2),
    ]

    /// The IDCT transforms columns before rows and rounds in between, so samples of a transposed image differ by up to
    /// one step. Smooth chroma upsampling rounds asymmetrically, which adds one step. Blue gets 1.772 × Cb. CMYK
    /// multiplies two inks.
    static func tolerance(_ kind: Kind, _ orientation: Orientation) -> Int {
        let samples = orientation.transposes ? 1 : 0
        let isSubsampled = kind.across * kind.down > 1
        let hasChroma = kind.color == .yCbCr || kind.color == .ycck
        let black = kind.color == .cmyk || kind.color == .ycck ? samples : 0
        return (hasChroma ? samples + 2 * (samples + (isSubsampled ? 1 : 0)) : samples) + black
    }

    private func file(_ kind: Kind, _ size: PixelSize, seed: UInt64 = 1) throws -> [UInt8] {
        var writer = JPEGWriter(size, kind.color)
        writer.quality = 85
        writer.sampling = (kind.across, kind.down)
        writer.isProgressive = kind.isProgressive
        let channels = kind.color == .gray ? 1 : 4
        return try writer.bytes(
            (0..<size.height).flatMap { y in
                (0..<size.width).flatMap { x in
                    (0..<channels).map { channel in
                        UInt8(clamping: 128 + (x * (3 + channel) + y * (7 - 2 * channel)) % 97 - (x * y) % 31)
                    }
                }
            })
    }

    private func moved(
        _ bytes: [UInt8], _ move: CoefficientMove, _ settings: EncodingSettings = EncodingSettings()
    ) throws -> [UInt8] {
        let result = try CodecRegistry.shared.open(InputBytes(bytes)).moved(
            move, settings: settings, metadata: WrittenMetadata(), keeping: [.color], options: DecodeOptions())
        return try #require(result).bytes
    }

    private func turned(_ bytes: [UInt8], _ orientation: Orientation) throws -> [UInt8] {
        let size = try CodecRegistry.shared.open(InputBytes(bytes)).info.size
        return try moved(bytes, CoefficientMove(PixelRectangle(covering: size), orientation))
    }

    /// Moving back restores the same bytes.
    @Test(arguments: kinds) func movesAreUndoneToTheByte(kind: Kind) throws {
        let bytes = try file(kind, PixelSize(width: 3 * kind.unit.width, height: 2 * kind.unit.height))
        let same = try turned(bytes, .identity)
        #expect(try same.decoded() == bytes.decoded())
        for orientation in Orientation.allCases {
            #expect(try turned(turned(bytes, orientation), orientation.inverse) == same, "\(orientation)")
        }
        let turns = try (0..<4).reduce(bytes) { bytes, _ in try turned(bytes, .rotated90) }
        #expect(turns == same)
    }

    @Test(arguments: kinds, Orientation.allCases)
    func movedCoefficientsAreMovedPixels(kind: Kind, orientation: Orientation) throws {
        let bytes = try file(kind, PixelSize(width: 5 * kind.unit.width, height: 3 * kind.unit.height))
        let result = try turned(bytes, orientation).decoded()
        expectPixelsEqual(
            result, try bytes.decoded().oriented(orientation), tolerance: Self.tolerance(kind, orientation))
    }

    // MARK: Crops

    /// The edge at which the result begins must be aligned, the opposite one need not be. The border of a subsampled
    /// image is not compared: its chroma was interpolated from samples outside the crop.
    @Test(arguments: kinds, Orientation.allCases)
    func cropsAreMovedPixels(kind: Kind, orientation: Orientation) throws {
        var generator = SeededGenerator(seed: UInt64(orientation.rawValue))
        let size = PixelSize(width: 6 * kind.unit.width - 3, height: 5 * kind.unit.height - 5)
        let bytes = try file(kind, size)
        let grid = try #require(try CodecRegistry.shared.open(InputBytes(bytes)).info.coefficientLayout).grid
        #expect(grid == kind.unit)
        var tried = 0
        while tried < 6 {
            let left = Int.random(in: 0..<(size.width - 4), using: &generator)
            let top = Int.random(in: 0..<(size.height - 4), using: &generator)
            var rectangle = PixelRectangle(
                x: left, y: top, width: Int.random(in: 4...(size.width - left), using: &generator),
                height: Int.random(in: 4...(size.height - top), using: &generator))
            // Align the rectangle as the move requires; most random rectangles are not aligned.
            func align(_ start: inout Int, _ length: inout Int, _ unit: Int, isMirrored: Bool) {
                if isMirrored {
                    length -= (start + length) % unit
                } else {
                    length += start % unit
                    start -= start % unit
                }
            }
            let mirrorsColumns = orientation.transposes ? orientation.mirrorsY : orientation.mirrorsX
            let mirrorsRows = orientation.transposes ? orientation.mirrorsX : orientation.mirrorsY
            align(&rectangle.x, &rectangle.size.width, grid.width, isMirrored: mirrorsColumns)
            align(&rectangle.y, &rectangle.size.height, grid.height, isMirrored: mirrorsRows)
            guard rectangle.width > 4, rectangle.height > 4 else { continue }
            tried += 1

            let move = CoefficientMove(rectangle, orientation)
            #expect(move.unalignedEdge(on: grid) == nil)
            let result = try moved(bytes, move).decoded()
            let expected = try bytes.decoded().cropped(to: rectangle).oriented(orientation)
            #expect(result.size == move.size && expected.size == move.size)
            let border = kind.across * kind.down > 1 ? Int(max(kind.across, kind.down)) : 0
            let inner = PixelRectangle(
                x: border, y: border, width: max(1, move.size.width - 2 * border),
                height: max(1, move.size.height - 2 * border))
            expectPixelsEqual(
                try result.cropped(to: inner), try expected.cropped(to: inner),
                tolerance: Self.tolerance(kind, orientation), "\(rectangle)")
        }
    }

    @Test func unalignedEdgesAreFound() throws {
        let grid = PixelSize(width: 16, height: 8)
        func edge(_ rectangle: PixelRectangle, _ orientation: Orientation) -> String? {
            CoefficientMove(rectangle, orientation).unalignedEdge(on: grid).map { "\($0.side) \($0.position)" }
        }
        let odd = PixelRectangle(x: 0, y: 0, width: 33, height: 17)
        let expected: [Orientation: String?] = [
            .identity: nil, .transposed: nil, .flippedHorizontally: "right 33", .rotated180: "right 33",
            .flippedVertically: "bottom 17", .rotated90: "bottom 17", .rotated270: "right 33", .transversed: "right 33",
        ]
        for orientation in Orientation.allCases { #expect(edge(odd, orientation) == expected[orientation]) }
        // The far corner is on the grid, the near one is not.
        let far = PixelRectangle(x: 7, y: 3, width: 25, height: 13)
        #expect(edge(far, .rotated180) == nil && edge(far, .transversed) == nil)
        #expect(edge(far, .identity) == "left 7" && edge(far, .flippedHorizontally) == "top 3")
    }

    // MARK: Coding

    @Test func theProcessIsKeptUnlessAskedFor() throws {
        func isProgressive(_ bytes: [UInt8], _ settings: EncodingSettings) throws -> Bool {
            let move = CoefficientMove(PixelRectangle(x: 0, y: 0, width: 64, height: 32), .rotated180)
            return try CodecRegistry.shared.open(InputBytes(moved(bytes, move, settings))).info.isProgressive
        }
        for stored in [false, true] {
            let kind = Kind(color: .yCbCr, isProgressive: stored)
            let bytes = try file(kind, PixelSize(width: 64, height: 32))
            #expect(try isProgressive(bytes, EncodingSettings()) == stored)
            #expect(try isProgressive(bytes, EncodingSettings(isProgressive: true)))
            #expect(try !isProgressive(bytes, EncodingSettings(isProgressive: false)))
        }
    }

    /// Optimised Huffman tables are not replaced by the standard ones.
    @Test func fastMovesDoNotInflate() throws {
        let photograph = try TestFolders.testImage("photograph.jpg")
        let whole = CoefficientMove(PixelRectangle(x: 0, y: 0, width: 640, height: 427), .identity)
        let optimised = try moved(photograph, whole, EncodingSettings(effort: .balanced))
        #expect(try moved(optimised, whole, EncodingSettings(effort: .fast)) == optimised)
        let standard = try photograph.decoded().encoded(as: .jpeg(JPEGOptions(effort: .fast)))
        let copied = try moved(standard, whole, EncodingSettings(effort: .fast))
        #expect(copied.count == standard.count)
        let best = try moved(standard, whole, EncodingSettings(effort: .best))
        #expect(try best.count <= min(moved(standard, whole).count, optimised.count))
    }

    @Test func adobesMarkerStaysAndJFIFIsNotMadeUp() throws {
        for color in [JPEGWriter.Color.rgb, .cmyk, .ycck, .yCbCr] {
            let bytes = try file(Kind(color: color), PixelSize(width: 16, height: 16))
            let result = try turned(bytes, .rotated90)
            func segments(_ bytes: [UInt8]) throws -> [UInt8] { try JPEGFile(InputBytes(bytes)).segments.map(\.marker) }
            let colorMarkers: [UInt8] = [0xE0, 0xEE]
            #expect(try segments(result).filter(colorMarkers.contains) == segments(bytes).filter(colorMarkers.contains))
            let before = try CodecRegistry.shared.open(InputBytes(bytes)).info
            #expect(try CodecRegistry.shared.open(InputBytes(result)).info.colorModel == before.colorModel)
        }
    }

    // MARK: Trouble

    /// Returns whether the file's coefficients are moved.
    private func isMoved(_ bytes: [UInt8], _ options: DecodeOptions) throws(TexelError) -> Bool {
        let source = try CodecRegistry.shared.open(InputBytes(bytes))
        let move = CoefficientMove(PixelRectangle(covering: source.info.size), .transposed)
        return try source.moved(
            move, settings: EncodingSettings(), metadata: WrittenMetadata(), keeping: [.color], options: options) != nil
    }

    /// Files that decoding rejects are left to the decoder.
    @Test(arguments: ["photograph.jpg", "progressive.jpg"], Strictness.allCases)
    func damageIsLeftToTheDecoder(name: String, strictness: Strictness) throws {
        let bytes = try TestFolders.testImage(name)
        var options = DecodeOptions()
        options.policy.strictness = strictness
        #expect(try isMoved(bytes, options))
        for part in [0.3, 0.6, 0.9, 0.99] {
            let cut = Array(bytes.prefix(Int(Double(bytes.count) * part)))
            #expect(try isMoved(cut, options) == (cut.failure(strictness) == nil), "\(part)")
        }
    }

    @Test func limitsAndStops() throws {
        let bytes = try TestFolders.testImage("progressive.jpg")
        var options = DecodeOptions()
        options.policy.limits.scans = 2
        #expect(throws: TexelError.limitExceeded(.scans, value: 3, allowed: 2)) { try isMoved(bytes, options) }
        options = DecodeOptions()
        options.policy.limits.codecBytes = 10_000
        let needed = try #require(try CodecRegistry.shared.open(InputBytes(bytes)).info.coefficientLayout).byteCount
        #expect(throws: TexelError.limitExceeded(.codecBytes, value: needed, allowed: 10_000)) {
            try isMoved(bytes, options)
        }
        options = DecodeOptions()
        options.stop = StopToken { .timedOut }
        #expect(throws: TexelError.stopped(.timedOut)) { try isMoved(bytes, options) }
    }

    // MARK: Real files

    @Test(.enabled(if: Corpora.isThere, "TEXEL_CORPORA names no folder"))
    func rejectedFilesAreNotMoved() throws {
        var (moved, left, refused) = (0, 0, 0)
        for file in Corpora.files("malformed") + Corpora.files("jpeg-valid") {
            let bytes = try Corpora.bytes(file)
            guard bytes.starts(with: [0xFF, 0xD8]), bytes.count < 1 << 20 else { continue }
            let isMoved = (try? isMoved(bytes, DecodeOptions())) ?? false
            let isRefused = bytes.failure() != nil
            #expect(!isMoved || !isRefused, "\(Corpora.name(of: file))")
            if isRefused { refused += 1 } else if isMoved { moved += 1 } else { left += 1 }
        }
        #expect(moved > left && refused > 0)
        print("coefficients of odd files: \(moved) moved, \(left) left to the decoder, \(refused) refused by it")
    }

    @Test(.enabled(if: Corpora.isThere, "TEXEL_CORPORA names no folder"))
    func realFilesMoveLikeTheirPixels() throws {
        var counts: [String: Int] = [:]
        for folder in ["exif-orientation", "jpeg-valid", "photos"] {
            for file in Corpora.files(folder) where ["jpg", "jpeg"].contains(file.pathExtension.lowercased()) {
                let bytes = try Corpora.bytes(file)
                guard bytes.failure() == nil, let info = try? CodecRegistry.shared.open(InputBytes(bytes)).info,
                    info.size.width * info.size.height < 1_000_000, let layout = info.coefficientLayout
                else { continue }
                let image = try bytes.decoded()
                for orientation in Orientation.allCases {
                    let move = CoefficientMove(PixelRectangle(covering: info.size), orientation)
                    guard move.unalignedEdge(on: layout.grid) == nil else { continue }
                    let result = try moved(bytes, move).decoded()
                    // Ink curves in a profile may be steep.
                    let isInk = info.colorModel == .cmyk || info.colorModel == .ycck
                    expectPixelsEqual(
                        result, try image.oriented(orientation), tolerance: isInk ? 8 : 5,
                        "\(Corpora.name(of: file)) \(orientation)")
                    counts["\(orientation)", default: 0] += 1
                }
            }
        }
        #expect(!counts.isEmpty)
        print("moved coefficients: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    }
}
