import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNM

/// Reading PBM, PGM, PPM and PAM.
@Suite struct PNMTests {
    private let checks = CodecChecks(PNMCodec())

    private func pixels(_ file: [UInt8], _ strictness: Strictness = .warning, frame: Int? = nil) throws -> [UInt32] {
        try checks.decoded(file, strictness, frame: frame).image.pixels
    }

    private func pixels(_ text: String, _ samples: [UInt8] = []) throws -> [UInt32] {
        try pixels(Array(text.utf8) + samples)
    }

    private static func gray(_ samples: [UInt32]) -> [UInt32] { samples.map { 0xFF00_0000 | $0 * 0x1_0101 } }

    // MARK: Kinds

    @Test func bitmapsDecodeOneAsBlack() throws {
        let expected = Self.gray([0, 255, 0, 255, 255, 255, 255, 0, 0, 255])
        #expect(try pixels("P1\n5 2\n1 0 1 0 0\n0 0 1 1 0\n") == expected)
        #expect(try pixels("P1 5 2 1010000110") == expected)
        // The bits that fill the last byte of a row have no meaning.
        #expect(try pixels("P4\n5 2\n", [0b1010_0111, 0b0011_0101]) == expected)
        let info = try checks.source(Array("P4\n5 2\n".utf8)).info
        #expect(info.coding == "PBM, raw" && info.bitDepth == 1 && info.colorModel == .gray)
    }

    @Test func deepSamplesAreDithered() throws {
        try checks.checkDithering { samples in
            Array("P5\n64 48\n65535\n".utf8) + samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        }
        try checks.checkDithering { samples in
            Array(("P2\n64 48\n65535\n" + samples.map(String.init).joined(separator: " ")).utf8)
        }
    }

    /// Samples of every kind of maxval are rounded to the nearest of 255 steps.
    @Test(arguments: [1, 2, 15, 100, 254, 255, 256, 1000, 4095, 65_534, 65_535]) func samplesAreScaledFromAnyMaxval(
        maximum: Int
    ) throws {
        var generator = SeededGenerator(seed: UInt64(maximum))
        let samples = (0..<60).map { _ in Int.random(in: 0...maximum, using: &generator) } + [0, maximum, maximum / 2]
        let scaled = samples.map { UInt32((Double($0) * 255 / Double(maximum)).rounded()) }
        let binary = samples.flatMap { maximum > 255 ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] }
        let text = samples.map(String.init).joined(separator: " ")
        let gray = Self.gray(scaled)
        let colors = stride(from: 0, to: 63, by: 3).map { index -> UInt32 in
            let (red, green): (UInt32, UInt32) = (scaled[index] << 16, scaled[index + 1] << 8)
            return 0xFF00_0000 | red | green | scaled[index + 2]
        }
        #expect(try pixels("P5 9 7 \(maximum)\n", binary) == gray)
        #expect(try pixels("P2 9 7 \(maximum)\n\(text)") == gray)
        #expect(try pixels("P6 3 7 \(maximum)\n", binary) == colors)
        #expect(try pixels("P3 3 7 \(maximum)\n\(text)\n") == colors)
        #expect(try pixels("P7\nWIDTH 3\nHEIGHT 7\nDEPTH 3\nMAXVAL \(maximum)\nENDHDR\n", binary) == colors)
        let info = try checks.source(Array("P5 9 7 \(maximum)\n".utf8)).info
        #expect(info.bitDepth == String(maximum, radix: 2).count)
        #expect(info.isLossless == true && info.coding == "PGM, raw")
    }

    @Test func tupleTypesSelectTheChannels() throws {
        func pam(_ depth: Int, _ type: String, maximum: Int = 255) -> String {
            "P7\nWIDTH 2\nHEIGHT 1\nDEPTH \(depth)\nMAXVAL \(maximum)\n"
                + (type.isEmpty ? "" : "TUPLTYPE \(type)\n") + "ENDHDR\n"
        }
        // In a PAM, unlike in a PBM, 1 is white.
        #expect(try pixels(pam(1, "BLACKANDWHITE", maximum: 1), [0, 1]) == [0xFF00_0000, 0xFFFF_FFFF])
        #expect(try pixels(pam(2, "BLACKANDWHITE_ALPHA", maximum: 1), [0, 1, 1, 0]) == [0xFF00_0000, 0x00FF_FFFF])
        #expect(try pixels(pam(1, "GRAYSCALE"), [7, 9]) == [0xFF07_0707, 0xFF09_0909])
        #expect(try pixels(pam(2, "GRAYSCALE_ALPHA"), [7, 9, 8, 0]) == [0x0907_0707, 0x0008_0808])
        #expect(try pixels(pam(3, "RGB"), [1, 2, 3, 4, 5, 6]) == [0xFF01_0203, 0xFF04_0506])
        #expect(try pixels(pam(4, "RGB_ALPHA"), [1, 2, 3, 4, 5, 6, 7, 8]) == [0x0401_0203, 0x0805_0607])
        // Without a type the depth decides; more samples than the type has are ignored.
        #expect(try pixels(pam(2, ""), [7, 9, 8, 0]) == [0x0907_0707, 0x0008_0808])
        #expect(try pixels(pam(4, ""), [1, 2, 3, 4, 5, 6, 7, 8]) == [0x0401_0203, 0x0805_0607])
        #expect(try pixels(pam(4, "RGB"), [1, 2, 3, 4, 5, 6, 7, 8]) == [0xFF01_0203, 0xFF05_0607])
        #expect(try pixels(pam(5, "RGB_ALPHA"), [1, 2, 3, 4, 0, 5, 6, 7, 8, 0]) == [0x0401_0203, 0x0805_0607])
        #expect(try pixels(pam(3, "GRAYSCALE"), [1, 2, 3, 4, 5, 6]) == [0xFF01_0101, 0xFF04_0404])
        let info = try checks.source(Array(pam(4, "RGB_ALPHA").utf8)).info
        #expect(info.coding == "PAM" && info.colorModel == .rgba && info.hasAlpha && info.bitDepth == 8)
    }

    @Test func headersMayHaveCommentsAndAnyWhiteSpace() throws {
        let expected: [UInt32] = [0xFF01_0203]
        for head in [
            "P6 1 1 255 ", "P6\n1\t1\r\n255\n", "P6#a\n1#b\n#c\r1\n#d\n255\n", "P6\n  \n001 01 0255\n",
            "P6 00000000000000000001 1 00000000000000000255\n",
            "P7\n#a\nHEIGHT 00000000000000000001\n\n  WIDTH   1 \nMAXVAL 255\nDEPTH 3\nTUPLTYPE RGB \nENDHDR\n",
            // A comment after the maxval, with its line, is the white space before the samples.
            "P6 1 1 255#comment\n",
        ] {
            #expect(try pixels(head, [1, 2, 3]) == expected, "\(head)")
        }
        // Comments between decimal samples.
        #expect(try pixels("P3 1 1 255 1#9 9\n2 #8\r3") == expected)
    }

    @Test func commentsAreReadAndRewritten() throws {
        let file = Array("P6\n# made by hand\n1 1\n#caf\u{E9}\n#\n255\n".utf8) + [1, 2, 3]
        let read = try checks.source(file).info.metadata.comments
        #expect(read.map(\.text) == ["made by hand", "caf\u{E9}"])
        #expect(try checks.decoded(file).metadata.comments == read)
        func rewritten(_ comments: [TextComment], _ file: [UInt8]) throws -> [UInt8] {
            try checks.source(file).rewritten(metadata: WrittenMetadata(comments: comments), keeping: [], stop: nil)
        }
        #expect(try rewritten([], file) == Array("P6\n1 1\n255\n".utf8) + [1, 2, 3])
        let titled = TextComment(keyword: "Title", bytes: Array("a\r\nb".utf8), encoding: .utf8)
        #expect(
            try rewritten([titled], file) == Array("P6\n# Title: a\n# b\n1 1\n255\n".utf8) + [1, 2, 3])
        // All images of the file, and the text of decimal samples.
        let two = Array("P5 1 1 255#x\n".utf8) + [1] + Array("P4#y\n1 1 ".utf8) + [0x80]
        #expect(try checks.source(two).info.metadata.comments.map(\.text) == ["x", "y"])
        #expect(try rewritten([], two) == Array("P5\n1 1\n255\n".utf8) + [1] + Array("P4\n1 1\n".utf8) + [0x80])
        let plain = Array("P2#x\n2 1 9\n1 #y\n2".utf8)
        #expect(try rewritten([], plain) == Array("P2\n2 1\n9\n1 \n2".utf8))
        let pam = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 3\nTUPLTYPE GRAYSCALE\nENDHDR\n"
        #expect(try rewritten([], Array("P7\n#z\n\(pam.dropFirst(3))".utf8) + [2]) == Array(pam.utf8) + [2])
    }

    // MARK: Several images

    private static let pages =
        Array("P5 2 1 255\n".utf8) + [1, 2] + Array("P6 1 1 255\n".utf8) + [3, 4, 5] + Array("P4 3 1\n".utf8) + [0xA0]

    @Test func severalImagesBecomePages() throws {
        let info = try checks.source(Self.pages).info
        #expect(info.pageCount == 3 && info.frameCount == 1 && !info.isAnimation)
        #expect(try pixels(Self.pages) == Self.gray([1, 2]))
        #expect(try pixels(Self.pages, frame: 0) == Self.gray([1, 2]))
        #expect(try pixels(Self.pages, frame: 1) == [0xFF03_0405])
        #expect(try pixels(Self.pages, frame: 2) == Self.gray([0, 255, 0]))
        for frame in [-1, 3, 1000] {
            #expect(throws: TexelError.missingPage(frame, count: 3)) { try pixels(Self.pages, frame: frame) }
        }
        var limits = Limits()
        limits.frames = 2
        #expect(throws: TexelError.limitExceeded(.frames, value: 3, allowed: 2)) {
            try checks.source(Self.pages, limits)
        }
        limits.frames = 3
        #expect(try checks.source(Self.pages, limits).info.pageCount == 3)
        // Other bytes may follow the last image, and any text an image of decimal samples.
        #expect(try checks.source(Self.pages + Array("P6 junk".utf8)).info.pageCount == 3)
        #expect(try checks.source(Array("P2 1 1 9 5 P2 1 1 9 5".utf8)).info.pageCount == 1)
    }

    /// The number of images is known when the file has arrived; until then, frames are found as they arrive.
    @Test func severalImagesArriving() async throws {
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 20)
        // Enough to detect the format, and the beginning of the second header.
        try Self.pages.prefix(16).withUnsafeBytes { try arriving.append($0) }
        let source = try CodecRegistry([PNMCodec()]).open(arriving: arriving, stop: nil)
        #expect(!source.holdsWholeHeader)
        #expect(source.info.pageCount == 1)
        try Self.pages.dropFirst(16).withUnsafeBytes { try arriving.append($0) }
        arriving.finish()
        var options = DecodeOptions()
        options.frame = 2
        #expect(try source.decodedAsStored(options).image.pixels == Self.gray([0, 255, 0]))
        options.frame = 3
        #expect(throws: TexelError.missingPage(3, count: 3)) { try source.decodedAsStored(options) }
        // The comments of all images are returned.
        let commented = Array("P5#x\n1 1 255 ".utf8) + [1] + Array("P4#y\n1 1 ".utf8) + [0x80]
        for seed in 1...4 { try await checks.checkArriving(commented, seed: UInt64(seed)) }
    }

    /// Comments are limited in the header of one image and of all together, by their bytes and by their number.
    @Test func limitsOfComments() throws {
        let page = Array("P5\n#123456789\n#2\n1 1 255\n".utf8) + [1]
        func limits(bytes: Int = 1000, count: Int = 1000) -> Limits {
            var limits = Limits()
            (limits.metadataBytes, limits.chunks) = (bytes, count)
            return limits
        }
        let header = page.count - 1
        let twice = page + page + page
        #expect(try checks.source(twice, limits(bytes: 30, count: 6)).info.metadata.comments.count == 6)
        #expect(throws: TexelError.limitExceeded(.metadataBytes, value: header, allowed: header - 1)) {
            try checks.source(page, limits(bytes: header - 1))
        }
        #expect(throws: TexelError.limitExceeded(.metadataBytes, value: 30, allowed: 29)) {
            try checks.source(twice, limits(bytes: 29))
        }
        #expect(throws: TexelError.limitExceeded(.chunks, value: 2, allowed: 1)) {
            try checks.source(page, limits(count: 1))
        }
        #expect(throws: TexelError.limitExceeded(.chunks, value: 4, allowed: 3)) {
            try checks.source(twice, limits(count: 3))
        }
    }

    // MARK: Damage

    @Test func invalidHeadersAreRefused() throws {
        func expect(_ error: TexelError, _ text: String) {
            #expect(throws: error, "\(text)") { try checks.source(Array(text.utf8)) }
        }
        expect(.ppm(.corrupt("the width is not a number")), "P6 x 1 255\n")
        expect(.ppm(.corrupt("the height is not a number")), "P6 1 -1 255\n")
        expect(.ppm(.corrupt("the maxval is not a number")), "P6 1 1 2x5\n")
        expect(.ppm(.invalidValue(0, of: "maxval")), "P6 1 1 0\n")
        expect(.ppm(.invalidValue(65_536, of: "maxval")), "P6 1 1 65536\n")
        expect(.ppm(.invalidDimensions(width: 0, height: 1)), "P6 0 1 255\n")
        expect(.limitExceeded(.side, value: 99_999_999_999, allowed: 65_535), "P6 99999999999 1 255\n")
        expect(.limitExceeded(.side, value: 999_999_999_999, allowed: 65_535), "P5 1 99999999999999999999999999 255\n")
        expect(.truncated(rowsRead: 0, rows: 0), "P6 1 1 255")
        expect(.truncated(rowsRead: 0, rows: 0), "P6\n# no end")
        let lines = ["WIDTH 1", "HEIGHT 1", "DEPTH 3", "MAXVAL 255"]
        for missing in lines {
            let head = "P7\n" + lines.filter { $0 != missing }.map { $0 + "\n" }.joined() + "ENDHDR\n"
            expect(.ppm(.missing("\(missing.prefix { $0 != " " }) line")), head)
        }
        let head = "P7\n" + lines.map { $0 + "\n" }.joined()
        expect(.ppm(.invalidValue(3, of: "DEPTH", context: "RGB_ALPHA")), head + "TUPLTYPE RGB_ALPHA\nENDHDR\n")
        expect(.unsupported("a PAM with the tuple type CMYK"), head + "TUPLTYPE CMYK\nENDHDR\n")
        expect(.unsupported("a PAM of 5 samples a pixel without a tuple type"), head + "DEPTH 5\nENDHDR\n")
        expect(.ppm(.invalidValue(0, of: "DEPTH")), head + "DEPTH 0\nENDHDR\n")
        expect(.ppm(.corrupt("the WIDTH line has no number")), head + "WIDTH x\nENDHDR\n")
        expect(.ppm(.corrupt("the header has an unknown line")), head + "SIZE 3\nENDHDR\n")
        var limits = Limits()
        limits.metadataBytes = 100
        let long = Array("P6\n#\(String(repeating: "x", count: 200))\n1 1 255\n".utf8)
        #expect(throws: TexelError.limitExceeded(.metadataBytes, value: 101, allowed: 100)) {
            try checks.source(long, limits)
        }
        for text in ["P8 1 1 255\n", "P0\n", "P6x", "P7 332\n", "PP"] {
            #expect(!PNMCodec().recognizes(Array(text.utf8)), "\(text)")
        }
        // A row of more bytes than a number can express.
        #expect(throws: TexelError.truncated(rowsRead: 0, rows: 9)) {
            try pixels("P7\nWIDTH 60000\nHEIGHT 9\nDEPTH 999999999999\nMAXVAL 9\nTUPLTYPE RGB\nENDHDR\n")
        }
    }

    @Test func invalidSamplesAreClampedOrRefused() throws {
        let excess = "a sample exceeds the maxval"
        for file in [
            Array("P5 2 1 9\n".utf8) + [3, 10], Array("P2 2 1 9 3 10".utf8),
            Array("P2 2 1 9 3 99999999999999999999".utf8),
        ] {
            #expect(try pixels(file, .truncated) == Self.gray([85, 255]))
            #expect(try checks.decoded(file).warnings == [excess])
            #expect(throws: TexelError.ppm(.corrupt(excess))) { try pixels(file, .error) }
        }
        let letter = Array("P2 1 2 9 3 x".utf8)
        #expect(throws: TexelError.ppm(.corrupt("a sample is not a number"))) { try pixels(letter, .truncated) }
        #expect(try pixels(letter, .none) == Self.gray([85, 0]))
        #expect(throws: TexelError.ppm(.corrupt("a sample is not 0 or 1"))) { try pixels("P1 1 1 2") }
    }

    @Test func missingRowsAreReported() throws {
        for file in [Array("P5 2 3 255\n".utf8) + [1, 2, 3, 4, 5], Array("P2 2 3 255 1 2 3 4 5".utf8)] {
            #expect(throws: TexelError.truncated(rowsRead: 2, rows: 3)) { try checks.decoded(file) }
            let decoded = try checks.decoded(file, .none)
            #expect(decoded.image.pixels == Self.gray([1, 2, 3, 4, 0, 0]))
            #expect(decoded.warnings == ["the samples are damaged or truncated"])
        }
        let pam = Array("P7\nWIDTH 1\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nENDHDR\n".utf8) + [1, 2, 3, 4]
        #expect(try pixels(pam, .none) == [0x0401_0203, 0])
    }

    private static func random(_ kind: Int, maximum: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let (width, height) = (37, 23)
        let count = width * height * [1, 1, 3][(kind - 1) % 3]
        let head = "P\(kind)\n# a comment\n\(width) \(height)\n" + ([1, 4].contains(kind) ? "" : "\(maximum)\n")
        let samples = (0..<count).map { _ in Int.random(in: 0...(kind == 1 ? 1 : maximum), using: &generator) }
        switch kind {
        // The last number has one digit, so that none of it can be cut off without an error.
        case 1...3: return Array((head + (samples.dropLast() + [1]).map(String.init).joined(separator: " ")).utf8)
        case 4: return Array(head.utf8) + .random(count: (width + 7) / 8 * height, using: &generator)
        default:
            return Array(head.utf8)
                + samples.flatMap { maximum > 255 ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] }
        }
    }

    @Test(arguments: 1...6, [255, 1000]) func filesPassTheSharedChecks(kind: Int, maximum: Int) async throws {
        let bytes = Self.random(kind, maximum: maximum, seed: UInt64(kind))
        try checks.checkTruncations(of: bytes, count: 400)
        checks.checkMutations(of: bytes, count: 400, seed: UInt64(kind))
        try checks.checkLimits(bytes)
        try await checks.checkArriving(bytes, seed: 1)
        try await checks.checkArriving(Array(bytes.dropLast(200)), seed: 2)
    }
}
