import Foundation
import Synchronization
import TestImageWriting
import TestSupport
import Testing
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// Rows are returned before the bytes of later ones have been sent. If they were not, these tests would hang.
@Suite(.timeLimit(.minutes(30))) struct EarlyRowsTests {
    /// The image is noise, so that every row has about the same size.
    private static let size = PixelSize(width: 160, height: 480)

    private enum Kind: CaseIterable, Sendable {
        case jpeg, jpegInks, png, pngSixteenBits

        func file() throws -> [UInt8] {
            let size = EarlyRowsTests.size
            var generator = SeededGenerator(seed: 4)
            switch self {
            case .jpeg, .jpegInks:
                var writer = JPEGWriter(size, self == .jpeg ? .yCbCr : .cmyk)
                writer.sampling = self == .jpeg ? (2, 2) : (1, 1)
                return try writer.bytes(.random(count: size.width * size.height * 4, using: &generator))
            case .png, .pngSixteenBits:
                let writer = PNGWriter(size, .rgb, bitDepth: self == .png ? 8 : 16)
                let range: ClosedRange<UInt16> = self == .png ? 0...255 : 0...65535
                return try writer.bytes(
                    (0..<(size.width * size.height * 3)).map { _ in UInt16.random(in: range, using: &generator) })
            }
        }
    }

    /// The minimum number of rows that a part of the file must yield: its share of the rows, less what decoders buffer,
    /// which is some rows of MCUs and 4 KB.
    private static func rows(of count: Int, in total: Int) -> Int {
        max(0, size.height * (count - 8192) / total - 48)
    }

    /// Sends a file in parts; each part is sent when the rows of the previous parts have been returned.
    private func send(
        _ bytes: [UInt8], rowsOfPart: (Int) -> Int, decoding: @escaping @Sendable (ArrivingBytes, HandOver) -> Bool
    ) async throws {
        let arriving = try ArrivingBytes(expectedCount: bytes.count, limit: bytes.count)
        let row = HandOver()
        async let isComplete = onThread { decoding(arriving, row) }
        let parts = 10
        var (sent, taken) = (0, 0)
        for part in 1...parts {
            let end = bytes.count * part / parts
            try arriving.append(bytes, sent..<end)
            sent = end
            let expected = part == parts ? Self.size.height : rowsOfPart(sent)
            let wanted = expected - taken
            // Block a separate thread, not one of the test's.
            if wanted > 0 { await onThread { for _ in 0..<wanted { row.take() } } }
            taken = max(taken, expected)
            if part == parts - 1 { #expect(taken > Self.size.height / 2) }
        }
        arriving.finish()
        #expect(await isComplete)
    }

    @Test(arguments: Kind.allCases) private func rowsAreDecodedBeforeTheFileEnds(kind: Kind) async throws {
        let bytes = try kind.file()
        try await send(bytes, rowsOfPart: { Self.rows(of: $0, in: bytes.count) }) { arriving, row in
            let image = try? CodecRegistry.shared.open(arriving: arriving, stop: nil).decoder()
            guard let decoder = image else { return false }
            var pixels = [UInt32](repeating: 0, count: decoder.size.width)
            for _ in 0..<decoder.size.height {
                let isThere = pixels.withUnsafeMutableBytes { bytes in
                    bytes.baseAddress.map { (try? decoder.readRows(1, into: $0, bytesPerRow: bytes.count)) != nil }
                }
                guard isThere == true else { return false }
                row.give()
            }
            return (try? decoder.finish()) != nil
        }
    }

    @Test func planesAreDecodedBeforeTheFileEnds() async throws {
        let bytes = try Kind.jpeg.file()
        try await send(bytes, rowsOfPart: { Self.rows(of: $0, in: bytes.count) }) { arriving, row in
            guard
                let decoder = try? CodecRegistry.shared.open(arriving: arriving, stop: nil).planeDecoder(
                    DecodeOptions()),
                let band = try? decoder.makeBand(1)
            else { return false }
            while (try? decoder.read(into: band)) == true {
                for _ in 0..<band.rowCounts[0] { row.give() }
            }
            return (try? decoder.finish()) != nil
        }
    }

    /// A source needs only the header. The last byte sent is, of a JPEG, the number of components in the first scan,
    /// and of a PNG, in the name of the first IDAT chunk.
    @Test(arguments: ["metadata.jpg", "progressive.jpg", "metadata.png", "interlaced-rgba.png"])
    func headerIsEnough(name: String) async throws {
        let bytes = try TestFolders.testImage(name)
        let isJPEG = name.hasSuffix("jpg")
        let pixels = Array("IDAT".utf8)
        let end =
            isJPEG ? try JPEGFile(InputBytes(bytes)).scanStart + 5 : try #require(bytes.firstIndex(of: pixels)) + 4
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 20)
        let whole = try CodecRegistry.shared.open(InputBytes(bytes)).info
        async let result = onThread { try? CodecRegistry.shared.open(arriving: arriving, stop: nil) }
        try arriving.append(bytes, 0..<end)
        let source = try #require(await result)
        #expect(source.info == whole)
        #expect(source.byteCount == nil)
        // Metadata may follow the pixels of a PNG.
        #expect(source.holdsWholeHeader == isJPEG)
        try arriving.append(bytes, end..<bytes.count)
        arriving.finish()
        #expect(source.byteCount == bytes.count)
        #expect(try source.decodedAsStored().image == bytes.decoded())
    }
}
