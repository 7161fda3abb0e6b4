import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Compares the readers of pixels with libpng, and checks that libpng decides about damaged files.
@Suite struct PNGReaderTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var colorType: TestImageWriting.PNGWriter.ColorType
        var bitDepth = 8
        var testDescription: String { "\(colorType), \(bitDepth) bits" }

        static let all = TestImageWriting.PNGWriter.ColorType.allCases.flatMap { colorType in
            let depths =
                switch colorType {
                case .gray: [1, 2, 4, 8, 16]
                case .palette: [1, 2, 4, 8]
                case .rgb, .grayAlpha, .rgba: [8, 16]
                }
            return depths.map { Kind(colorType: colorType, bitDepth: $0) }
        }

        /// Returns an image with noise and smooth parts; with a palette, it has up to `paletteCount` colours. With
        /// `hasColorKey`, its first pixel's colour is transparent.
        func file(
            width: Int, height: Int, isInterlaced: Bool = false, paletteCount: Int = 200, hasColorKey: Bool = false
        ) throws -> [UInt8] {
            var generator = SeededGenerator(seed: UInt64(width * 1000 + height))
            var writer = TestImageWriting.PNGWriter(
                PixelSize(width: width, height: height), colorType, bitDepth: bitDepth)
            writer.isInterlaced = isInterlaced
            if colorType == .palette {
                writer.palette = (0..<min(paletteCount, 1 << bitDepth)).map {
                    UInt32($0 * 3_000_017) &* 77 | ($0 < 20 ? 0 : 0xFF00_0000)
                }
            }
            let count = width * colorType.channels
            let samples = (0..<(count * height)).map { index -> UInt16 in
                let (x, y) = (index % count, index / count)
                let noise = UInt16.random(in: 0..<200, using: &generator)
                let value = y % 3 == 0 ? noise : UInt16((x / colorType.channels + y * 2) % 200)
                return bitDepth == 16
                    ? value * 327 + UInt16.random(in: 0..<327, using: &generator)
                    : value & UInt16(1 << bitDepth - 1)
            }
            if hasColorKey { writer.transparentColor = Array(samples.prefix(colorType.channels)) }
            return try writer.bytes(samples)
        }
    }

    /// Decodes a file with libpng alone.
    private func decodedByLibrary(
        _ bytes: [UInt8], _ strictness: Strictness = .truncated
    ) throws(TexelError) -> PixelBuffer {
        let file = PNGFile(bytes: InputBytes(bytes))
        var options = DecodeOptions()
        options.policy.strictness = strictness
        let decoder = try PNGDecoder(file, header: file.header(), options: options, usesOwnReaders: false)
        let image = try decoder.readImage()
        _ = try decoder.finish()
        return image
    }

    /// Reads rows a few at a time, as most jobs do.
    private func decodedInRows(_ bytes: [UInt8]) throws -> PixelBuffer {
        let file = PNGFile(bytes: InputBytes(bytes))
        let decoder = try PNGDecoder(file, header: file.header(), options: DecodeOptions())
        var image = try PixelBuffer(
            uninitialized: decoder.size, alphaMode: decoder.alphaMode, colorSpace: decoder.colorSpace)
        let (height, bytesPerRow) = (image.height, image.bytesPerRow)
        try image.withUnsafeMutableBytes { bytes in
            let base = try #require(bytes.baseAddress)
            for y in stride(from: 0, to: height, by: 3) {
                try decoder.readRows(min(3, height - y), into: base + y * bytesPerRow, bytesPerRow: bytesPerRow)
            }
        }
        _ = try decoder.finish()
        return image
    }

    @Test(arguments: Kind.all) func sameAsLibrary(kind: Kind) throws {
        for (width, height) in [(1, 1), (2, 3), (3, 2), (15, 4), (16, 5), (17, 70), (131, 67), (1000, 33)] {
            for isInterlaced in [false, true] {
                for hasColorKey in kind.colorType == .gray || kind.colorType == .rgb ? [false, true] : [false] {
                    let bytes = try kind.file(
                        width: width, height: height, isInterlaced: isInterlaced, hasColorKey: hasColorKey)
                    let expected = try decodedByLibrary(bytes)
                    let comment = "\(width) × \(height), Adam7 \(isInterlaced), key \(hasColorKey)"
                    #expect(try bytes.decoded() == expected, "\(comment)")
                    #expect(try decodedInRows(bytes) == expected, "\(comment), in rows")
                    let isOpaque = expected.pixels.allSatisfy { $0 >> 24 == 255 }
                    #expect(!hasColorKey || !isOpaque)
                }
            }
        }
    }

    /// Streams with every kind of block and window, in chunks of any size.
    @Test(arguments: [1, 2, 7, 1000]) func chunksOfAnySizeDecodeTheSame(size: Int) throws {
        let whole = try Kind(colorType: .rgb).file(width: 67, height: 41)
        let file = PNGFile(bytes: InputBytes(whole))
        let pixels = file.chunks.filter { $0.name == "IDAT" }.flatMap { whole[$0.data] }
        var writer = PNGChunkWriter()
        for chunk in file.chunks where chunk.name == "IHDR" { writer.append(copy: whole[chunk.whole]) }
        writer.append("IDAT", [])
        for begin in stride(from: 0, to: pixels.count, by: size) {
            writer.append("IDAT", Array(pixels[begin..<min(begin + size, pixels.count)]))
        }
        writer.append("IDAT", [])
        writer.append("IEND", [])
        #expect(try writer.bytes.decoded() == whole.decoded())
    }

    // MARK: Two threads

    private func inflater(_ bytes: [UInt8]) throws -> Inflater {
        let file = PNGFile(bytes: InputBytes(bytes))
        let position = try #require(try PNGChunkWalk(file, Limits(), nil).pixels)
        let data = PNGPixelData(file, at: position, waitsForChunks: false, nil)
        return Inflater(data)
    }

    /// Rows that are inflated ahead, in pieces of two rows to all, are those that are inflated when needed.
    @Test(arguments: [500, 4000, 1 << 20]) func ringOfRows(pieceSize: Int) throws {
        for height in [1, 2, 3, 40, 41] {
            let bytes = try Kind(colorType: .rgb).file(width: 150, height: height)
            let size = 451
            let buffer = FilteredRowBuffer(try inflater(bytes), piece: 2 * size)
            let ring = try #require(
                FilteredRowRing(
                    try inflater(bytes), rowCount: height, bytesPerRow: size, leastByteCount: 0, pieceSize: pieceSize))
            var generator = SeededGenerator(seed: 8)
            var row = 0
            while row < height {
                let wanted = min(Int.random(in: 1...2, using: &generator), height - row)
                // A piece may end after one row.
                let (found, count) = ring.peek(wanted * size).map { ($0, wanted) } ?? (ring.peek(size), 1)
                let (pointer, expected) = (try #require(found), try #require(buffer.peek(count * size)))
                #expect((0..<(count * size)).allSatisfy { pointer[$0] == expected[$0] })
                ring.take(count * size)
                buffer.take(count * size)
                row += count
            }
            #expect(ring.isAtEnd() && buffer.isAtEnd())
            #expect(ring.peek(size) == nil && ring.interruption == nil)
        }
    }

    /// A stream that ends early, also between two pieces, gives all rows before its end, however late they are taken.
    @Test func ringOfAStreamThatEnds() throws {
        // Six rows of the 90 that are expected: three pieces, and none of the fourth.
        let bytes = try Kind(colorType: .rgb).file(width: 150, height: 6)
        let ring = try #require(
            FilteredRowRing(
                try inflater(bytes), rowCount: 90, bytesPerRow: 451, leastByteCount: 0, pieceSize: 902))
        // Waits until the thread has ended.
        #expect(!ring.isAtEnd())
        for row in 0..<6 {
            #expect(ring.peek(451) != nil, "row \(row)")
            ring.take(451)
        }
        #expect(ring.peek(451) == nil)
    }

    /// A ring that is not read to its end ends its thread.
    @Test(arguments: [0, 1, 30]) func abandonedRingsEndTheirThread(readCount: Int) throws {
        let bytes = try Kind(colorType: .rgb).file(width: 150, height: 90)
        let ring = try #require(
            FilteredRowRing(
                try inflater(bytes), rowCount: 90, bytesPerRow: 451, leastByteCount: 0, pieceSize: 902))
        for _ in 0..<readCount {
            #expect(ring.peek(451) != nil)
            ring.take(451)
        }
    }

    @Test func whatIsNotWorthAThread() throws {
        let bytes = try Kind(colorType: .rgb).file(width: 150, height: 90)
        #expect(FilteredRowRing(try inflater(bytes), rowCount: 90, bytesPerRow: 451) == nil)
        #expect(
            FilteredRowRing(try inflater(bytes), rowCount: 90, bytesPerRow: 451, leastByteCount: 0, pieceSize: 450)
                == nil)
        let rows = FilteredRowBuffer.rows(try inflater(bytes), rowCount: 9000, bytesPerRow: 451, parallelism: 1)
        #expect(rows is FilteredRowBuffer)
        let many = FilteredRowBuffer.rows(try inflater(bytes), rowCount: 9000, bytesPerRow: 451, parallelism: 2)
        #expect(many is FilteredRowRing)
    }

    /// Large files with and without damage give the same pixels and errors on two threads as on one.
    @Test(arguments: [Strictness.none, .truncated, .error]) func threadsDoNotMatter(strictness: Strictness) throws {
        let sound = try Kind(colorType: .rgb).file(width: 640, height: 600)
        try #require(640 * 3 * 600 > FilteredRowRing.leastByteCount)
        func decoded(_ bytes: [UInt8], _ parallelism: Int) -> Result<PixelBuffer, TexelError> {
            var options = DecodeOptions()
            options.policy.strictness = strictness
            options.parallelism = parallelism
            do throws(TexelError) {
                return .success(try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored(options).image)
            } catch { return .failure(error) }
        }
        #expect(try decoded(sound, 2).get() == decoded(sound, 1).get())
        let chunks = PNGFile(bytes: InputBytes(sound)).chunks
        let pixels = chunks.filter { $0.name == "IDAT" }.flatMap { sound[$0.data] }
        var generator = SeededGenerator(seed: 78)
        var failures = 0
        for round in 0..<16 {
            var stream = pixels
            let place = Int.random(in: stream.indices, using: &generator)
            if round % 2 == 0 {
                stream[place] ^= 1 << UInt8(round % 8)
            } else {
                stream.removeLast(stream.count - place)
            }
            var writer = PNGChunkWriter()
            for chunk in chunks where chunk.name == "IHDR" { writer.append(copy: sound[chunk.whole]) }
            writer.append("IDAT", stream)
            writer.append("IEND", [])
            switch (decoded(writer.bytes, 2), decoded(writer.bytes, 1)) {
            case (.success(let image), .success(let expected)):
                let isTheSame = image == expected
                #expect(isTheSame, "round \(round)")
            case (.failure(let error), .failure(let expected)):
                #expect(error == expected, "round \(round)")
                failures += 1
            case (let found, let expected): Issue.record("round \(round): \(found) but \(expected)")
            }
        }
        #expect((failures > 8) == (strictness != .none))
    }

    private func outcome(
        _ decode: () throws(TexelError) -> PixelBuffer
    ) -> Result<PixelBuffer, TexelError> {
        do throws(TexelError) { return .success(try decode()) } catch { return .failure(error) }
    }

    /// Damage anywhere in the pixels, with a corrected checksum of the chunk.
    @Test(arguments: [8, 16], [false, true]) func damageIsJudgedByTheLibrary(bitDepth: Int, isInterlaced: Bool) throws {
        let sound = try Kind(colorType: .rgb, bitDepth: bitDepth)
            .file(width: 150, height: 90, isInterlaced: isInterlaced)
        let chunks = PNGFile(bytes: InputBytes(sound)).chunks
        let pixels = chunks.filter { $0.name == "IDAT" }.flatMap { sound[$0.data] }
        var generator = SeededGenerator(seed: 77)
        var refused = 0
        for round in 0..<300 {
            var stream = pixels
            switch round % 3 {
            case 0: stream[Int.random(in: 0..<min(200, stream.count), using: &generator)] ^= 1 << UInt8(round % 8)
            case 1: stream[Int.random(in: stream.indices, using: &generator)] ^= 1 << UInt8(round % 8)
            default: stream.removeLast(Int.random(in: 1..<stream.count, using: &generator))
            }
            var writer = PNGChunkWriter()
            for chunk in chunks where chunk.name == "IHDR" { writer.append(copy: sound[chunk.whole]) }
            writer.append("IDAT", stream)
            writer.append("IEND", [])
            refused += try agreement(on: writer.bytes, "round \(round)")
        }
        #expect(refused > 100)
    }

    /// Returns a file whose pixels declare a window of 2^(`exponent` + 8) bytes.
    private func declaring(_ exponent: UInt8, _ sound: [UInt8]) throws -> [UInt8] {
        let file = PNGFile(bytes: InputBytes(sound))
        var stream = HandmadePNG.data(of: "IDAT", in: sound)
        stream[0] = exponent << 4 | 8
        stream[1] = UInt8((31 - Int(stream[0]) * 256 % 31) % 31)
        var writer = PNGChunkWriter()
        for chunk in file.chunks where chunk.name == "IHDR" { writer.append(copy: sound[chunk.whole]) }
        // The header is in two chunks.
        writer.append("IDAT", [stream[0]])
        writer.append("IDAT", Array(stream.dropFirst()))
        writer.append("IEND", [])
        return writer.bytes
    }

    /// A declared window that is smaller than distances in the stream is not believed, and is not written.
    @Test func tooSmallWindowsAreReadWithAWarning() throws {
        for isInterlaced in [false, true] {
            let sound = try Kind(colorType: .rgb).file(width: 150, height: 90, isInterlaced: isInterlaced)
            let expected = try sound.decoded()
            for exponent in UInt8(0)..<8 {
                let bytes = try declaring(exponent, sound)
                #expect(try agreement(on: bytes, "window of 2^\(exponent + 8)") == 0)
                let source = try bytes.source()
                let decoded = try source.decodedAsStored()
                #expect(decoded.image == expected)
                #expect(!decoded.notes.hasDamagedPixels)
                let isTooSmall =
                    decoded.warnings == [
                        "IDAT: distances exceed the declared window of \(1 << (Int(exponent) + 8)) bytes"
                    ]
                #expect(isTooSmall || decoded.warnings.isEmpty)
                if exponent == 0 { #expect(isTooSmall) }
                if exponent == 7 { #expect(!isTooSmall) }
                let copy = try source.rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
                #expect(try copy.source().decodedAsStored().warnings.isEmpty)
                #expect(try copy.decoded() == expected)
                #expect((copy == bytes) == !isTooSmall)
            }
            // zlib has no window of 64 KB. If damage is accepted, the passes of an interlaced image are missing.
            #expect(try agreement(on: declaring(8, sound), "window of 2^16") == (isInterlaced ? 2 : 3))
        }
    }

    /// Compressing again never keeps a stream with a window that is too small.
    @Test func recompressionDeclaresTheWindow() throws {
        let sound = try Kind(colorType: .rgb, bitDepth: 16).file(width: 150, height: 90)
        let source = try declaring(0, sound).source()
        let result = try source.recompressed(
            settings: EncodingSettings(effort: .fast), metadata: WrittenMetadata(), keeping: [],
            options: DecodeOptions(), parallelism: 1, progress: nil)
        guard case .file(let bytes) = result else {
            Issue.record("the file was not compressed again")
            return
        }
        #expect(try bytes.source().decodedAsStored().warnings.isEmpty)
        #expect(try bytes.decoded() == sound.decoded())
    }

    /// A stream that goes on after the last row is damaged, though all pixels are there.
    @Test(arguments: [false, true]) func excessIsDamage(isInterlaced: Bool) throws {
        let size = PixelSize(width: 20, height: 9)
        let bytes = HandmadePNG.excessive(size, gray: 9, isInterlaced: isInterlaced, excess: 100)
        let decoded = try bytes.source().decodedAsStored()
        #expect(decoded.notes.hasDamagedPixels && !decoded.warnings.isEmpty)
        let sound = try Kind(colorType: .gray).file(width: 20, height: 9, isInterlaced: isInterlaced)
        #expect(try !sound.source().decodedAsStored().notes.hasDamagedPixels)
    }

    /// Writes the bits of a deflate stream (RFC 1951, 3.1.1).
    private struct DeflateBits {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        /// Appends a number, lowest bit first.
        mutating func append(_ value: Int, _ bitCount: Int) {
            for bit in 0..<bitCount {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(count % 8)
                count += 1
            }
        }

        /// Appends a Huffman code, highest bit first.
        mutating func append(code: Int, _ bitCount: Int) {
            for bit in (0..<bitCount).reversed() { append(code >> bit & 1, 1) }
        }
    }

    /// A distance that reaches before the start of the stream, into uninitialised memory.
    @Test(arguments: [1, 40]) func distancesBeyondTheBeginning(rowCount: Int) throws {
        // A match of 258 bytes fills the rows.
        let width = 30
        let sound = try Kind(colorType: .rgb).file(width: width, height: 90)
        let rows = [UInt8](repeating: 0, count: rowCount * (3 * width + 1))
        var stream: [UInt8] = [0x78, 0x01, 0]
        for count in [UInt16(rows.count), ~UInt16(rows.count)] { stream += [UInt8(count & 255), UInt8(count >> 8)] }
        stream += rows
        // Fixed codes: a match of 258 bytes at a distance of 32,768, then literals, and the end.
        var bits = DeflateBits()
        bits.append(1, 1)
        bits.append(1, 2)
        bits.append(code: 0xC5, 8)
        bits.append(code: 29, 5)
        bits.append(8191, 13)
        for _ in 0..<300 { bits.append(code: 0x62, 8) }
        bits.append(code: 0, 7)
        stream += bits.bytes + [0, 0, 0, 0]

        var writer = PNGChunkWriter()
        for chunk in PNGFile(bytes: InputBytes(sound)).chunks where chunk.name == "IHDR" {
            writer.append(copy: sound[chunk.whole])
        }
        writer.append("IDAT", stream)
        writer.append("IEND", [])
        let bytes = writer.bytes
        var (refused, left) = (0, [UInt32]())
        // The byte 1 is a valid filter type.
        try withUnwrittenMemory(holding: 1) {
            refused = try agreement(on: bytes, "\(rowCount) rows")
            left = try bytes.decoded(.none).pixels
        }
        #expect(refused == 2 && left.allSatisfy { $0 == 0xFF00_0000 })
    }

    /// One of many chunks has a wrong checksum: neither its data nor any later data is used.
    @Test func damagedChunksAreJudgedByTheLibrary() throws {
        let sound = try Kind(colorType: .rgb).file(width: 150, height: 90)
        let file = PNGFile(bytes: InputBytes(sound))
        let pixels = try #require(file.chunks.first { $0.name == "IDAT" }).data
        var refused = 0
        for damaged in 0..<8 {
            var writer = PNGChunkWriter()
            for chunk in file.chunks where chunk.name == "IHDR" { writer.append(copy: sound[chunk.whole]) }
            let size = pixels.count / 8 + 1
            for (index, begin) in stride(from: pixels.lowerBound, to: pixels.upperBound, by: size).enumerated() {
                var part = PNGChunkWriter()
                part.append("IDAT", Array(sound[begin..<min(begin + size, pixels.upperBound)]))
                var bytes = Array(part.bytes.dropFirst(PNGFile.signature.count))
                if index == damaged { bytes[bytes.count - 1] ^= 1 }
                writer.append(copy: bytes)
            }
            writer.append("IEND", [])
            refused += try agreement(on: writer.bytes, "chunk \(damaged)")
        }
        #expect(refused > 8)
    }

    /// Expects equal results with and without the reader; returns the number of errors.
    private func agreement(on bytes: [UInt8], _ comment: String) throws -> Int {
        var refused = 0
        for strictness in [Strictness.none, .truncated, .error] {
            let result = outcome { () throws(TexelError) in try bytes.decoded(strictness) }
            let alone = outcome { () throws(TexelError) in try decodedByLibrary(bytes, strictness) }
            switch (result, alone) {
            case (.success(let image), .success(let expected)):
                #expect(image == expected, "\(comment), \(strictness)")
            case (.failure(let error), .failure(let expected)):
                #expect(error == expected, "\(comment), \(strictness)")
                refused += 1
            default: Issue.record("\(comment), \(strictness): \(result) but \(alone)")
            }
        }
        return refused
    }

    @Test func indicesWithoutAColorAreLeftToTheLibrary() throws {
        let kind = Kind(colorType: .palette)
        for isInterlaced in [false, true] {
            let bytes = try kind.file(width: 40, height: 30, isInterlaced: isInterlaced, paletteCount: 100)
            let expected = try decodedByLibrary(bytes)
            #expect(try bytes.decoded() == expected)
            #expect(try decodedInRows(bytes) == expected)
        }
    }
}
