import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelBMP
@testable import TexelCodecs

/// Run-length codes: their pixels, those that they leave out, and their damage.
@Suite struct BMPRunLengthTests {
    private let checks = CodecChecks(BMPCodec())
    private static let palette: [UInt32] = (0..<16).map { UInt32($0 * 0x10_1010 + 1) }

    private static func file(
        _ codes: [UInt8], bits: Int = 8, width: Int = 5, height: Int = 2
    ) -> BMPFileMaker {
        BMPFileMaker(
            version: bits == 24 ? 64 : 40, width: width, height: height, bits: bits,
            compression: [4: 2, 8: 1, 24: 4][bits] ?? 0, palette: bits == 24 ? [] : palette, pixels: codes)
    }

    private static func colors(_ indices: [Int?]) -> [UInt32] {
        indices.map { $0.map { 0xFF00_0000 | palette[$0] } ?? 0 }
    }

    private func image(_ file: BMPFileMaker, _ strictness: Strictness = .warning) throws -> PixelBuffer {
        try checks.decoded(file.bytes, strictness).image
    }

    /// The bottom row has a run and stored pixels, the top row one run.
    @Test func eightBitRunsDecode() throws {
        let file = Self.file([2, 7, 0, 3, 1, 2, 3, 0, 0, 0, 5, 4, 0, 1])
        let decoded = try image(file)
        #expect(decoded.pixels == Self.colors([4, 4, 4, 4, 4, 7, 7, 1, 2, 3]))
        #expect(decoded.alphaMode == .opaque)
        let info = try checks.source(file.bytes).info
        #expect(info.coding == "BI_RLE8" && !info.hasAlpha && info.colorModel == .palette)
    }

    /// Runs of four bits alternate between two indices; stored pixels are padded to two bytes.
    @Test func fourBitRunsDecode() throws {
        let file = Self.file([5, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 0, 0, 1], bits: 4)
        #expect(try image(file).pixels == Self.colors([3, 4, 5, 6, 7, 1, 2, 1, 2, 1]))
        #expect(try checks.source(file.bytes).info.coding == "BI_RLE4")
    }

    @Test func twentyFourBits() throws {
        let file = Self.file([2, 1, 2, 3, 0, 3, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 5, 0, 0, 255, 0, 1], bits: 24)
        let bottom: [UInt32] = [0xFF03_0201, 0xFF03_0201, 0xFF07_0809, 0xFF04_0506, 0xFF01_0203]
        #expect(try image(file).pixels == [UInt32](repeating: 0xFFFF_0000, count: 5) + bottom)
        #expect(try checks.source(file.bytes).info.coding == "RLE24")
    }

    /// Pixels without a code are transparent: after moves, early ends of rows and of the image.
    @Test func pixelsWithoutACodeAreTransparent() throws {
        let file = Self.file(
            [1, 1, 0, 2, 2, 0, 1, 2, 0, 0, 2, 3, 0, 2, 1, 2, 1, 4, 0, 1], height: 5)
        let rows: [[Int?]] = [
            [nil, nil, nil, nil, nil], [nil, nil, nil, 4, nil], [nil, nil, nil, nil, nil], [3, 3, nil, nil, nil],
            [1, nil, nil, 2, nil],
        ]
        let decoded = try image(file)
        #expect(decoded.pixels == Self.colors(rows.flatMap { $0 }))
        #expect(decoded.alphaMode == .straight)
        #expect(try checks.source(file.bytes).info.hasAlpha)
    }

    @Test func topDownRunLengthCodesAreAWarning() throws {
        var file = Self.file([5, 1, 0, 0, 5, 2, 0, 1])
        file.height = -2
        #expect(try image(file, .error).pixels == Self.colors([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]))
        #expect(throws: TexelError.warning("run-length codes are stored from the top")) { try image(file) }
    }

    /// Codes beyond the end of a row are clipped.
    @Test func codesBeyondARowAreClipped() throws {
        let error = TexelError.bmp(.corrupt("run-length codes continue beyond the end of a row"))
        for codes: [UInt8] in [
            [7, 1, 0, 0, 5, 2, 0, 1], [0, 6, 1, 1, 1, 1, 1, 9, 0, 0, 5, 2, 0, 1],
            [5, 1, 0, 2, 9, 0, 0, 0, 5, 2, 0, 1],
        ] {
            let file = Self.file(codes)
            #expect(try image(file, .truncated).pixels.prefix(5) == Self.colors([2, 2, 2, 2, 2])[...])
            #expect(try image(file, .truncated).pixels.suffix(5) == Self.colors([1, 1, 1, 1, 1])[...])
            #expect(throws: error) { try image(file, .error) }
        }
        // Rows beyond the top are ignored.
        #expect(try image(Self.file([5, 1, 0, 0, 5, 2, 0, 0, 5, 3, 0, 0, 0, 1]), .warning).alphaMode == .opaque)
        #expect(try image(Self.file([5, 1, 0, 2, 0, 255, 5, 3, 0, 1]), .warning).alphaMode == .straight)
    }

    @Test func truncatedCodesReportTheirRows() throws {
        let file = Self.file([5, 1, 0, 0, 2, 2])
        #expect(throws: TexelError.truncated(rowsRead: 1, rows: 2)) { try image(file, .truncated) }
        let pixels = try image(file, .none).pixels
        #expect(
            pixels == Self.colors([2, 2]) + [0xFF00_0000, 0xFF00_0000, 0xFF00_0000] + Self.colors([1, 1, 1, 1, 1]))
        // The end of the image may be missing if all pixels are there.
        #expect(try image(Self.file([5, 1, 0, 0, 5, 2])).pixels == Self.colors([2, 2, 2, 2, 2, 1, 1, 1, 1, 1]))
    }

    /// Returns random codes for an image, without the end of the image.
    private static func codes(bits: Int, width: Int, height: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var codes: [UInt8] = []
        for _ in 0..<height {
            var left = width
            while left > 0 {
                let count = Int.random(in: 1...min(left, 20), using: &generator)
                left -= count
                if count >= 3, Bool.random(using: &generator) {
                    var data = [UInt8].random(count: (count * bits + 7) / 8, using: &generator)
                    if data.count % 2 == 1 { data.append(0) }
                    codes += [0, UInt8(count)] + data
                } else if Int.random(in: 0..<8, using: &generator) == 0 {
                    codes += [0, 2, UInt8(count), 0]
                } else {
                    codes += [UInt8(count)] + [UInt8].random(count: max(1, bits / 8), using: &generator)
                }
            }
            codes += [0, 0]
        }
        return codes
    }

    @Test(arguments: [4, 8, 24]) func runLengthFilesPassTheSharedChecks(bits: Int) async throws {
        let codes = Self.codes(bits: bits, width: 41, height: 30, seed: UInt64(bits))
        let bytes = Self.file(codes + [0, 1], bits: bits, width: 41, height: 30).bytes
        try checks.checkTruncations(of: bytes, count: 300)
        checks.checkMutations(of: bytes, count: 600, seed: UInt64(bits))
        try checks.checkLimits(bytes)
        try await checks.checkArriving(bytes, seed: 1)
        try await checks.checkArriving(Array(bytes.dropLast(300)), seed: 2)
    }
}
