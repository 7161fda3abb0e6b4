import CDeflateBlocks
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Images of several bands, which are compressed separately.
@Suite struct PNGBandTests {
    /// Returns an image with noise in three of five strips, so that a stream has stored, fixed and dynamic blocks.
    private func image(height: Int = 600) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 5)
        return try .make(width: 1000, height: height, alphaMode: .straight) { x, y in
            y / 100 % 5 < 3 ? UInt32.random(in: 0 ... .max, using: &generator) : UInt32(x / 10 * 65793 + y)
        }
    }

    @Test(arguments: Effort.allCases)
    func bytesDoNotDependOnTheNumberOfThreads(effort: Effort) throws {
        let image = try image()
        let encoding = ImageEncoding.png(PNGOptions(level: 9, filter: .adaptive, effort: effort))
        let alone = try image.encoded(as: encoding)
        for threads in [2, 16] {
            #expect(try image.encoded(as: encoding, parallelism: threads) == alone, "\(threads) threads")
        }
        expectPixelsEqual(try alone.decoded(), image, "\(effort)")
        if effort == .fast { #expect(PNGFile(bytes: InputBytes(alone)).chunks.count { $0.name == "IDAT" } > 1) }
    }

    @Test func everyLevelCanBeContinued() throws {
        let image = try image(height: 300)
        for level in 0...9 {
            let bytes = try image.encoded(as: .png(PNGOptions(level: level, filter: .up)), parallelism: 2)
            expectPixelsEqual(try bytes.decoded(), image, "level \(level)")
        }
    }

    @Test func rowsLongerThanABandAreBandsOfTheirOwn() throws {
        let image = try PixelBuffer(width: 300_000, height: 3, filledWith: 0x8012_3456)
        let options = PNGOptions(level: 1, filter: .unfiltered, reducesLosslessly: false, effort: .fast)
        let bytes = try image.encoded(as: .png(options), parallelism: 2)
        #expect(PNGFile(bytes: InputBytes(bytes)).chunks.count { $0.name == "IDAT" } == 3)
        var decoding = DecodeOptions()
        decoding.policy.limits.side = image.width
        #expect(try bytes.source(decoding.policy.limits).decodedAsStored(decoding).image == image)
    }

    @Test func aStopEndsAllThreads() throws {
        let image = try image()
        let stop = StopToken { .cancelled }
        #expect(throws: TexelError.stopped(.cancelled)) {
            try image.encoded(as: .png(PNGOptions(filter: .up)), stop: stop, parallelism: 4)
        }
    }

    // MARK: Checksums and blocks

    @Test func checksumsOfPartsMakeThatOfTheWhole() throws {
        var generator = SeededGenerator(seed: 6)
        for counts in [[0], [1, 0, 5], [70_000, 1, 65_521, 65_520, 200_000]] {
            let parts = counts.map { count in
                (0..<count).map { _ in UInt8.random(in: 200...255, using: &generator) }
            }
            var checksum = Adler32()
            for part in parts { checksum.append(part.withUnsafeBytes(Adler32.checksum), count: part.count) }
            let whole = parts.flatMap(\.self).withUnsafeBytes(Adler32.checksum)
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: whole >> $0) }
            #expect(checksum.bytes == bytes, "\(counts)")
        }
    }

    private func lastBlock(_ stream: [UInt8]) -> texel_deflate_block? {
        var block = texel_deflate_block()
        let padded = stream + [UInt8](repeating: 0xFF, count: Int(texel_deflate_padding))
        return texel_deflate_find_last_block(padded, stream.count, &block) ? block : nil
    }

    @Test func brokenStreamsHaveNoLastBlock() throws {
        let bytes = try image(height: 100).bytes(in: .rgba)
        let stream = try Zlib.compressed(bytes, effort: .best).dropFirst(2).dropLast(4)
        let block = try #require(lastBlock(Array(stream)))
        #expect((block.end + 7) / 8 == stream.count)
        #expect(stream[stream.startIndex + block.begin / 8] >> UInt8(block.begin % 8) & 1 == 1)
        #expect(lastBlock([]) == nil)
        #expect(lastBlock(stream.dropLast(1)) == nil)
        #expect(lastBlock(Array(stream.prefix(block.begin / 8))) == nil)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {  // must end, without access outside the buffer
            var damaged = Array(stream)
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<400, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if let block = lastBlock(damaged) { #expect(block.end <= damaged.count * 8) }
        }
    }
}
