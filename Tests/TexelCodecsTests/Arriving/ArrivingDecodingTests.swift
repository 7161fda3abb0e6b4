import Foundation
import Synchronization
import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// Decoding files while they arrive.
@Suite(.timeLimit(.minutes(30))) struct ArrivingDecodingTests {
    private static let testImages = TestFolders.files(below: TestFolders.testImages)
        .filter { ["jpg", "png"].contains($0.pathExtension) }

    /// The result does not depend on the pieces in which a file arrives.
    @Test(arguments: testImages) func sameAsWhole(file: URL) async throws {
        let bytes = Array(try Data(contentsOf: file))
        for strictness in [Strictness.truncated, .warning] {
            var options = DecodeOptions()
            options.policy.strictness = strictness
            let whole = Outcome(bytes, options)
            for (round, largest) in [1, 700, 9000, bytes.count].enumerated() where largest > 1 || bytes.count < 40_000 {
                let fed = try await Outcome.fed(bytes, largest: largest, seed: UInt64(round), options)
                #expect(fed == whole, "\(file.lastPathComponent), up to \(largest) bytes at a time")
            }
        }
    }

    @Test(arguments: ["photograph.jpg", "progressive.jpg", "photograph.png", "interlaced-rgba.png", "gray-16-bit.png"])
    func cutFilesDecodeTheSameWhileArriving(name: String) async throws {
        let bytes = try TestFolders.testImage(name)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<12 {
            let cut = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            for strictness in Strictness.allCases {
                var options = DecodeOptions()
                options.policy.strictness = strictness
                let fed = try await Outcome.fed(cut, largest: 5000, seed: generator.next(), options)
                #expect(fed == Outcome(cut, options), "\(cut.count) of \(bytes.count), \(strictness)")
            }
        }
    }

    @Test(arguments: ["photograph.jpg", "progressive.jpg", "photograph.png", "interlaced-rgba.png", "metadata.png"])
    func damagedFilesDecodeTheSameWhileArriving(name: String) async throws {
        let sound = try TestFolders.testImage(name)
        var generator = SeededGenerator(seed: 12)
        var refused = 0
        for _ in 0..<40 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            let whole = Outcome(bytes)
            let fed = try await Outcome.fed(bytes, largest: 5000, seed: generator.next())
            #expect(fed == whole)
            if !whole.isImage { refused += 1 }
        }
        print("\(name): \(refused) of 40 damaged files refused")
    }

    /// Chunks after the pixels are checked against the limits even if damaged pixels are accepted.
    @Test func limitsBehindDamagedPixels() throws {
        var bytes = try TestFolders.testImage("photograph.png")
        let pixels = try #require(bytes.firstIndex(of: Array("IDAT".utf8)))
        bytes[bytes.count / 2] ^= 0xFF
        // A text chunk that declares a gigabyte and has no data.
        bytes.replaceSubrange((bytes.count - 12)..., with: [0x40, 0, 0, 0] + Array("tEXt".utf8))
        var options = DecodeOptions()
        options.policy.strictness = .none
        let whole = Outcome(bytes, options)
        #expect(!whole.isImage)
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        try arriving.append(bytes, 0..<(pixels + 100))
        let source = try CodecRegistry.shared.open(arriving: arriving, stop: nil)
        let decoder = try source.decoder(options)
        try arriving.append(bytes, (pixels + 100)..<bytes.count)
        arriving.finish()
        let fed = Outcome { () throws(TexelError) in
            let image = try decoder.readImage()
            return DecodedImage(image, try decoder.finish())
        }
        #expect(fed == whole)
    }

    /// Codes that ISA-L accepts and zlib rejects, in a chunk that turns out to have a wrong checksum. If damage is
    /// accepted, no row of that chunk may have been returned before.
    @Test func rowsOfAChunkThatTurnsOutDamaged() throws {
        var file = PNGChunkWriter()
        file.append(copy: HandmadePNG.header(width: 100, height: 300, colorType: 0))
        file.append("IDAT", HandmadePNG.unusualCodes(storedRows: 2, rows: 298, width: 100))
        var bytes = file.bytes
        bytes[bytes.count - 1] ^= 1
        file = PNGChunkWriter()
        file.append("IEND", [])
        bytes += file.bytes.dropFirst(PNGFile.signature.count)
        var options = DecodeOptions()
        options.policy.strictness = .none
        let whole = Outcome(bytes, options)
        #expect(whole.isImage)

        // The file ends when the decoder waits for it: at its second poll since the first row.
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        let (sent, all) = (bytes.count - 100, bytes)
        let asked = Mutex(0)
        try arriving.append(all, 0..<sent)
        options.stop = StopToken {
            let count = asked.withLock {
                $0 += 1
                return $0
            }
            if count == 2 {
                try? arriving.append(all, sent..<all.count)
                arriving.finish()
            }
            return nil
        }
        let decoder = try CodecRegistry.shared.open(arriving: arriving, stop: nil).decoder(options)
        asked.withLock { $0 = 0 }
        var image = try PixelBuffer(width: 100, height: 300, filledWith: 0)
        let bytesPerRow = image.bytesPerRow
        try image.withUnsafeMutableBytes { rows throws(TexelError) in
            if let base = rows.baseAddress { try decoder.readRows(300, into: base, bytesPerRow: bytesPerRow) }
        }
        #expect(asked.withLock { $0 } >= 2)
        guard case .image(let expected, _) = whole else { return }
        #expect(image.pixels == expected.pixels)
    }

    @Test(arguments: ["subsampling-420.jpg", "gray.jpg", "progressive.jpg"], [1, 2, 8])
    func arrivingPlanesEqualThoseOfWholeFiles(name: String, shrink: Int) async throws {
        let bytes = try TestFolders.testImage(name)
        var options = DecodeOptions()
        options.shrink = shrink
        let (arriving, fixed) = (try ArrivingBytes(expectedCount: bytes.count, limit: 1 << 30), options)
        async let fed = onThread { planeSamples(arriving, fixed) }
        var generator = SeededGenerator(seed: 5)
        try arriving.feed(bytes, largest: 3000, using: &generator)
        let samples = await fed
        #expect(!samples.isEmpty)
        let whole = try ArrivingBytes(expectedCount: bytes.count, limit: 1 << 30)
        try whole.append(bytes, bytes.indices)
        whole.finish()
        #expect(samples == planeSamples(whole, fixed))
        var shrunk = try await Outcome.fed(bytes, largest: 3000, seed: 6, options)
        #expect(shrunk == Outcome(bytes, options))
        options.readsUnneededScans = true
        shrunk = try await Outcome.fed(bytes, largest: 3000, seed: 7, options)
        #expect(shrunk == Outcome(bytes, options))
    }

    @Test(arguments: ["photograph.jpg", "progressive.jpg"])
    func coefficientsMoveTheSameWhileArriving(name: String) async throws {
        let bytes = try TestFolders.testImage(name)
        @Sendable func moved(_ source: any ImageFile) throws(TexelError) -> [UInt8]? {
            let move = CoefficientMove(PixelRectangle(covering: source.info.size), .transposed)
            return try source.moved(
                move, settings: EncodingSettings(), metadata: WrittenMetadata(), keeping: [.color],
                options: DecodeOptions()
            )?.bytes
        }
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        async let fed = onThread { try? moved(CodecRegistry.shared.open(arriving: arriving, stop: nil)) }
        var generator = SeededGenerator(seed: 5)
        try arriving.feed(bytes, largest: 3000, using: &generator)
        let (result, whole) = (await fed, try moved(CodecRegistry.shared.open(InputBytes(bytes))))
        #expect(result == whole && whole != nil)
    }

    @Test(arguments: ["metadata.jpg", "metadata.png"]) func arrivingFilesAreRewrittenLikeWholeFiles(name: String)
        async throws
    {
        let bytes = try TestFolders.testImage(name)
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        async let fed = onThread {
            try? CodecRegistry.shared.open(arriving: arriving, stop: nil)
                .rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
        }
        var generator = SeededGenerator(seed: 5)
        try arriving.feed(bytes, largest: 3000, using: &generator)
        let result = await fed
        #expect(
            try result
                == CodecRegistry.shared.open(InputBytes(bytes)).rewritten(
                    metadata: WrittenMetadata(), keeping: [.color], stop: nil))
    }
}

/// Returns all samples of all planes; empty if decoding fails.
private func planeSamples(_ bytes: ArrivingBytes, _ options: DecodeOptions) -> [[UInt8]] {
    do {
        let decoder = try CodecRegistry.shared.open(arriving: bytes, stop: nil).planeDecoder(options)
        let band = try decoder.makeBand(1)
        var samples = decoder.layouts.map { _ in [UInt8]() }
        while try decoder.read(into: band) {
            for (index, plane) in band.planes.enumerated() {
                plane.withUnsafeSamples { base in
                    for y in 0..<band.rowCounts[index] {
                        let row = base + y * plane.bytesPerRow
                        samples[index] += UnsafeBufferPointer(start: row, count: decoder.layouts[index].size.width)
                    }
                }
            }
        }
        _ = try decoder.finish()
        return samples
    } catch {
        return []
    }
}
