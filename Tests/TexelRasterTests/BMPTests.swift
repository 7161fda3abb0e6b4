import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelBMP
@testable import TexelCodecs

/// Files without compression: palettes, masks, headers, damage.
@Suite struct BMPTests {
    private let checks = CodecChecks(BMPCodec())

    /// 3×2 pixels: red, green, blue above white, grey, black.
    private static let colors: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF, 0x808080, 0]
    private static let expected = colors.map { 0xFF00_0000 | $0 }

    private static func bgr(_ colors: ArraySlice<UInt32>) -> [UInt8] {
        colors.flatMap { BMPFileMaker.little($0).prefix(3) }
    }

    private static var rgb24: BMPFileMaker {
        BMPFileMaker(pixels: BMPFileMaker.padded([bgr(colors[3...]), bgr(colors[..<3])]))
    }

    private func pixels(_ file: BMPFileMaker, _ strictness: Strictness = .error) throws -> [UInt32] {
        try checks.decoded(file.bytes, strictness).image.pixels
    }

    // MARK: Pixels

    @Test func allHeaderVersionsAreRead() throws {
        for version in [12, 16, 20, 40, 52, 56, 64, 108, 124] {
            var file = Self.rgb24
            file.version = version
            #expect(try pixels(file, .warning) == Self.expected, "\(version)")
            let info = try checks.source(file.bytes).info
            #expect(info.size == PixelSize(width: 3, height: 2))
            #expect(info.colorModel == .rgb && info.bitDepth == 8 && !info.hasAlpha && info.coding == "BI_RGB")
            #expect(info.isLossless == true)
        }
    }

    @Test func topDownRowsDecode() throws {
        var file = Self.rgb24
        file.height = -2
        file.pixels = BMPFileMaker.padded([Self.bgr(Self.colors[..<3]), Self.bgr(Self.colors[3...])])
        #expect(try pixels(file, .warning) == Self.expected)
    }

    @Test(arguments: [1, 2, 4, 8]) func paletteIndicesGiveTheirColors(bits: Int) throws {
        let count = 1 << bits
        let palette = (0..<count).map { UInt32($0 * 0x01_0203 % 0xFF_FFFF) }
        let width = 11
        let indices = (0..<2).map { y in (0..<width).map { ($0 * 3 + y) % count } }
        let rows = indices.map { row in
            var bytes = [UInt8](repeating: 0, count: (width * bits + 7) / 8)
            for (x, index) in row.enumerated() {
                bytes[x * bits / 8] |= UInt8(index << (8 - bits - x * bits % 8))
            }
            return bytes
        }
        for version in [12, 40] {
            let file = BMPFileMaker(
                version: version, width: width, height: 2, bits: bits, palette: palette,
                pixels: BMPFileMaker.padded(rows))
            #expect(try pixels(file, .warning) == indices.reversed().flatMap { $0.map { 0xFF00_0000 | palette[$0] } })
            let info = try checks.source(file.bytes).info
            #expect(info.colorModel == .palette && info.bitDepth == bits)
        }
    }

    /// A palette may end early, before the pixels; colours that it does not have are black.
    @Test func colorsBeyondAShortPaletteAreBlack() throws {
        var file = BMPFileMaker(
            width: 4, height: 1, bits: 8, colorCount: 2, palette: [0x112233, 0x445566], pixels: [0, 1, 1, 0])
        #expect(try pixels(file, .warning) == [0xFF11_2233, 0xFF44_5566, 0xFF44_5566, 0xFF11_2233])
        file.colorCount = 0
        #expect(try pixels(file, .warning) == [0xFF11_2233, 0xFF44_5566, 0xFF44_5566, 0xFF11_2233])
        file.pixels = [0, 2, 1, 255]
        #expect(try pixels(file, .truncated) == [0xFF11_2233, 0xFF00_0000, 0xFF44_5566, 0xFF00_0000])
        #expect(throws: TexelError.bmp(.corrupt("an index is beyond the 2 colours of the palette"))) {
            try pixels(file, .error)
        }
        // More colours than indices can name, and bytes between palette and pixels.
        file.pixels = [0, 1, 1, 0]
        file.colorCount = 300
        file.palette += [UInt32](repeating: 0xABCDEF, count: 298)
        #expect(try pixels(file, .warning) == [0xFF11_2233, 0xFF44_5566, 0xFF44_5566, 0xFF11_2233])
    }

    /// Samples of all depths are scaled to 8 bits with rounding to nearest.
    @Test func maskedSamplesAreScaledToEightBits() throws {
        let cases: [(bits: Int, masks: [UInt32], depth: Int)] = [
            (16, [0xF800, 0x7E0, 0x1F, 0], 6), (16, [0x7C00, 0x3E0, 0x1F, 0x8000], 5),
            (16, [0x1, 0xFFE, 0x7000, 0], 11),
            (16, [0xF00, 0xF0, 0xF, 0xF000], 4), (32, [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000], 8),
            (32, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], 8), (32, [0x3FF0_0000, 0xF_FC00, 0x3FF, 0xC000_0000], 10),
            (32, [0xFE00_0000, 0x1FF_FF80, 0x7F, 0], 18), (32, [0xFF00_0000, 0xFF_0000, 0xFF00, 0], 8),
            (32, [0xFF, 0, 0xFF00, 0], 8),
        ]
        var generator = SeededGenerator(seed: 3)
        for (bits, masks, depth) in cases {
            for version in [40, 56, 108, 124] {
                if version == 40, masks[3] != 0, bits == 16 { continue }
                let stored = (0..<5).map { _ in
                    UInt32.random(in: 0 ... .max, using: &generator) & (bits == 16 ? 0xFFFF : .max)
                }
                var file = BMPFileMaker(
                    version: version, width: 5, height: 1, bits: bits, compression: 3, masks: masks,
                    pixels: BMPFileMaker.padded([stored.flatMap { BMPFileMaker.little($0).prefix(bits / 8) }]))
                if version == 40 {
                    // Three masks follow without alpha, and four with it.
                    if masks[3] == 0 { file.masks.removeLast() } else { file.compression = 6 }
                }
                func sample(_ pixel: UInt32, _ mask: UInt32, _ absent: UInt32) -> UInt32 {
                    guard mask != 0 else { return absent }
                    let shift = UInt32(mask.trailingZeroBitCount)
                    let (value, largest) = (UInt64((pixel & mask) >> shift), UInt64(mask >> shift))
                    return UInt32((value * 255 + largest / 2) / largest)
                }
                let expected = stored.map { pixel in
                    sample(pixel, masks[3], 255) << 24 | sample(pixel, masks[0], 0) << 16
                        | sample(pixel, masks[1], 0) << 8 | sample(pixel, masks[2], 0)
                }
                #expect(try pixels(file, .warning) == expected, "\(masks) \(version)")
                let info = try checks.source(file.bytes).info
                #expect(info.bitDepth == depth && info.hasAlpha == (masks[3] != 0), "\(masks)")
                #expect(info.coding == "BI_BITFIELDS")
            }
        }
    }

    @Test func invalidMasksAreRefused() throws {
        let cases: [([UInt32], FormatDefect)] = [
            ([0xFF_00FF, 0xFF00, 0xFF00_0000], .invalidValue(0xFF_00FF, of: "red mask")),
            ([0xFF_0000, 0xFF_0000, 0xFF], .invalidValue(0xFF_0000, of: "green mask")),
        ]
        for (masks, defect) in cases {
            let file = BMPFileMaker(
                width: 1, height: 1, bits: 32, compression: 3, masks: masks, pixels: [1, 2, 3, 4])
            #expect(throws: TexelError.bmp(defect)) { try checks.source(file.bytes) }
        }
        let wide = BMPFileMaker(
            width: 1, height: 1, bits: 16, compression: 3, masks: [0x1_0000, 0xF0, 0xF], pixels: [1, 2, 3, 4])
        #expect(throws: TexelError.bmp(.invalidValue(0x1_0000, of: "red mask"))) { try checks.source(wide.bytes) }
    }

    /// Alpha without a mask has no meaning, but in version 4; alpha that is 0 everywhere has none either.
    @Test func alphaRequiresAMask() throws {
        var file = BMPFileMaker(width: 2, height: 1, bits: 32, pixels: [1, 2, 3, 0x80, 4, 5, 6, 0])
        #expect(try pixels(file, .warning) == [0xFF03_0201, 0xFF06_0504])
        file.version = 124
        file.masks = [0, 0, 0, 0xFF00_0000]
        #expect(try pixels(file, .warning) == [0x8003_0201, 0x0006_0504])
        file.pixels[3] = 0
        #expect(try pixels(file, .warning) == [0xFF03_0201, 0xFF06_0504])
    }

    /// Pixels of 64 bits are linear light with 13 bits after the point.
    @Test func linearSamplesBecomeSRGB() throws {
        let samples: [Int16] = [8192, 0, -5, 8192, 1754, 4096, 20_000, 4096]
        let file = BMPFileMaker(width: 2, height: 1, bits: 64, pixels: samples.flatMap { BMPFileMaker.little($0) })
        // 1754 / 8192 of white is the sRGB sample 127.6, half of it 187.5.
        #expect(try pixels(file, .warning) == [0xFF00_00FF, 0x80FF_BC80])
        #expect(try checks.source(file.bytes).info.bitDepth == 16)
    }

    // MARK: Colours and metadata

    @Test func densityIsReadAndKept() throws {
        var file = Self.rgb24
        file.density = (3780, 7560)
        let perMetre = PixelDensity(horizontal: Rational(3780), vertical: Rational(7560), unit: .perMetre)
        #expect(try checks.source(file.bytes).info.metadata.density == perMetre)
        #expect(try checks.decoded(file.bytes).metadata.density == perMetre)
        #expect(try checks.source(Self.rgb24.bytes).info.metadata.density == nil)
        let written = WrittenMetadata(
            density: PixelDensity(horizontal: Rational(100), vertical: Rational(50), unit: .perCentimetre))
        let copy = try checks.source(file.bytes).rewritten(metadata: written, keeping: [], stop: nil)
        file.density = (10_000, 5000)
        #expect(copy == file.bytes)
    }

    @Test func embeddedProfilesAreRead() throws {
        let displayP3 = ColorSpace.codePoints(try #require(CICP(primaries: 12, transfer: 13)))
        let profile = try #require(try displayP3.embeddableProfile())
        var file = Self.rgb24
        (file.version, file.colorSpaceType, file.profile) = (124, 0x4D42_4544, profile.bytes)
        #expect(try checks.source(file.bytes).info.colorSpace == .iccProfile(profile))
        #expect(try checks.decoded(file.bytes, .warning).image.colorSpace == .iccProfile(profile))
        let plain = try checks.source(file.bytes).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
        #expect(try checks.source(plain).info.colorSpace == .sRGB)
        #expect(try checks.decoded(plain, .warning).image.pixels == Self.expected)
        #expect(!plain.contains(Array("acsp".utf8)))
        var limits = Limits()
        limits.metadataBytes = profile.bytes.count - 1
        #expect(
            throws: TexelError.limitExceeded(
                .metadataBytes, value: profile.bytes.count, allowed: profile.bytes.count - 1)
        ) { try checks.source(file.bytes, limits) }
        // A missing profile is tolerated, because the pixels are complete.
        let cut = Array(file.bytes.dropLast())
        let image = try checks.decoded(cut, .error)
        #expect(image.image.colorSpace == .sRGB)
        #expect(image.warnings == ["the colour profile is damaged or truncated and was ignored"])
        #expect(throws: TexelError.warning("the colour profile is damaged or truncated and was ignored")) {
            try checks.decoded(cut, .warning)
        }
        // A range that overlaps the header, the palette and the pixels: what they share stays.
        file.profileRange = (100, UInt32(file.bytes.count - 114))
        let overlapping = file.bytes
        let stripped = try checks.source(overlapping).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
        #expect(try checks.decoded(stripped, .error).image.pixels == Self.expected)
        #expect(try checks.source(stripped).info.size == PixelSize(width: 3, height: 2))
        #expect(!stripped.contains(Array("acsp".utf8)))
        file.profileRange = nil
        // A linked profile is not followed.
        file.colorSpaceType = 0x4C49_4E4B
        #expect(try checks.decoded(file.bytes, .warning).image.colorSpace == .sRGB)
    }

    @Test func calibratedColorsAreRead() throws {
        var file = Self.rgb24
        (file.version, file.colorSpaceType) = (108, 0)
        // Many writers leave the fields 0.
        #expect(try checks.source(file.bytes).info.colorSpace == .sRGB)
        // The end points of sRGB, with its exponent, then with another one.
        func fraction(_ value: Double) -> UInt32 { UInt32(value * Double(1 << 30)) }
        file.endpoints = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505].map(fraction)
        file.gammas = [144_179, 144_179, 144_179]
        #expect(try checks.source(file.bytes).info.colorSpace == .sRGB)
        // The same exponent from light to samples.
        file.gammas = [29_789, 29_789, 29_789]
        #expect(try checks.source(file.bytes).info.colorSpace == .sRGB)
        file.gammas = [0x10000, 0x10000, 0x10000]
        guard case .calibrated(let calibration) = try checks.source(file.bytes).info.colorSpace else {
            Issue.record("not calibrated")
            return
        }
        #expect(calibration.gamma == 100_000)
        let coordinates = try #require(calibration.chromaticities?.coordinates)
        for (left, right) in zip(coordinates, Calibration.Chromaticities.sRGB.coordinates) {
            #expect(abs(left - right) < 60, "\(left) \(right)")
        }
        // Channels with different exponents cannot be expressed.
        file.gammas = [0x10000, 0x20000, 0x10000]
        #expect(try checks.source(file.bytes).info.colorSpace == .sRGB)
    }

    // MARK: Damage

    @Test func invalidHeadersAreRefused() throws {
        func expect(_ error: TexelError, _ change: (inout BMPFileMaker) -> Void) {
            var file = Self.rgb24
            change(&file)
            #expect(throws: error) { try checks.source(file.bytes) }
        }
        expect(.bmp(.invalidValue(66, of: "header size"))) { $0.version = 66 }
        expect(.bmp(.invalidValue(15, of: "header size"))) { $0.version = 15 }
        expect(.bmp(.invalidDimensions(width: 0, height: 2))) { $0.width = 0 }
        expect(.bmp(.invalidDimensions(width: -3, height: 2))) { $0.width = -3 }
        expect(.bmp(.invalidDimensions(width: 3, height: 0))) { $0.height = 0 }
        expect(.limitExceeded(.side, value: 1 << 31, allowed: 65_535)) { $0.height = Int(Int32.min) }
        expect(.bmp(.invalidValue(3, of: "number of bits per pixel"))) { $0.bits = 3 }
        expect(.bmp(.invalidValue(7, of: "compression", context: "24 bits per pixel"))) { $0.compression = 7 }
        expect(.bmp(.invalidValue(1, of: "compression", context: "24 bits per pixel"))) { $0.compression = 1 }
        expect(.bmp(.invalidValue(3, of: "compression", context: "24 bits per pixel"))) { $0.compression = 3 }
        expect(.unsupported("a JPEG in a BMP")) { ($0.compression, $0.bits) = (4, 0) }
        expect(.unsupported("a PNG in a BMP")) { ($0.compression, $0.bits) = (5, 0) }
        expect(.unsupported("a BMP with Huffman compression")) { ($0.version, $0.compression, $0.bits) = (64, 3, 1) }
        expect(.unsupported("a CMYK BMP")) { ($0.compression, $0.bits) = (11, 32) }
        #expect(throws: TexelError.truncated(rowsRead: 0, rows: 0)) { try checks.source(Array("BM".utf8)) }
        #expect(throws: TexelError.self) { try checks.source(Array("BM is a text, not an image".utf8)) }
        #expect(!BMPCodec().recognizes(Array("BM is a text, not an image".utf8.prefix(16))))
    }

    @Test func toleratedFaultsAreReported() throws {
        var file = Self.rgb24
        file.planes = 0
        #expect(throws: TexelError.warning("the number of planes is 0")) { try pixels(file, .warning) }
        #expect(try checks.decoded(file.bytes, .error).warnings == ["the number of planes is 0"])
        file.planes = 1
        // A missing offset is replaced by the end of the palette.
        file.offset = 0
        #expect(try pixels(file, .error) == Self.expected)
        #expect(throws: TexelError.warning("the offset of the pixels is 0")) { try pixels(file, .warning) }
    }

    /// The missing rows of a file that begins with the bottom row are at the top.
    @Test func missingBottomUpRowsAreAtTheTop() throws {
        let whole = Self.rgb24.bytes
        let padding = 3
        #expect(try checks.decoded(Array(whole.dropLast(padding)), .warning).image.pixels == Self.expected)
        let cut = Array(whole.dropLast(padding + 1))
        #expect(throws: TexelError.truncated(rowsRead: 1, rows: 2)) { try checks.decoded(cut) }
        let decoded = try checks.decoded(cut, .none)
        #expect(decoded.image.pixels == [0xFF00_0000, 0xFF00_0000, 0xFF00_0000] + Self.expected[3...])
        #expect(decoded.warnings == ["the image is truncated"])
        var file = Self.rgb24
        file.height = -2
        let topDown = try checks.decoded(Array(file.bytes.dropLast(padding + 1)), .none).image.pixels
        #expect(topDown == Self.expected[3...] + [0xFF00_0000, 0xFF00_0000, 0xFF00_0000])
    }

    private static func random(_ bits: Int, compression: Int = 0, height: Int = 40) -> BMPFileMaker {
        var generator = SeededGenerator(seed: UInt64(bits))
        let rowBytes = (37 * bits + 31) / 32 * 4
        return BMPFileMaker(
            width: 37, height: height, bits: bits, compression: compression,
            palette: bits <= 8 ? (0..<(1 << bits)).map { UInt32($0 * 0x01_0105) } : [],
            masks: compression == 6 ? [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000] : [],
            pixels: .random(count: rowBytes * abs(height), using: &generator))
    }

    @Test(arguments: [1, 2, 4, 8, 16, 24, 32, 64]) func filesPassTheSharedChecks(bits: Int) async throws {
        let bytes = Self.random(bits).bytes
        try checks.checkTruncations(of: bytes, count: 300)
        checks.checkMutations(of: bytes, count: 300, seed: UInt64(bits))
        try checks.checkLimits(bytes)
        try await checks.checkArriving(bytes, seed: 1)
        try await checks.checkArriving(Array(bytes.dropLast(900)), seed: 2)
        try await checks.checkArriving(Self.random(bits, height: -40).bytes, seed: 3)
    }

    @Test func propertiesWithAlpha() async throws {
        for height in [40, -40] {
            let bytes = Self.random(32, compression: 6, height: height).bytes
            try checks.checkTruncations(of: bytes, count: 300)
            checks.checkMutations(of: bytes, count: 300, seed: 1)
            try await checks.checkArriving(bytes, seed: 3)
            try await checks.checkArriving(Array(bytes.dropLast(900)), seed: 3)
        }
    }

    @Test func stoppedDecodingThrows() throws {
        let token = StopToken()
        token.cancel()
        var options = DecodeOptions()
        options.stop = token
        let source = try checks.source(Self.rgb24.bytes)
        #expect(throws: TexelError.stopped(.cancelled)) { try source.decodedAsStored(options) }
    }
}

extension [UInt8] {
    /// Whether `bytes` occur in this array.
    func contains(_ bytes: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: bytes) }
    }
}
