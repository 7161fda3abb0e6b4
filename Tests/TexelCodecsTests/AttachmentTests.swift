import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG

/// Data that other standards append to a JPEG: detection, copying, and correction of its offsets.
@Suite struct AttachmentTests {
    private static let size = PixelSize(width: 40, height: 30)

    private static func image(_ segments: [JPEGWriter.Segment] = [], seed: UInt64 = 1) throws -> [UInt8] {
        var writer = JPEGWriter(size, .yCbCr)
        writer.segments = segments
        return try writer.bytes(PixelBuffer.noise(size, seed: seed).withUnsafeBytes { Array($0) })
    }

    private static func xmp(_ text: String) -> JPEGWriter.Segment {
        .init(marker: 0xE1, payload: XMP.jpegSignature + Array(text.utf8))
    }

    private static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { (shift: Int) -> UInt8 in UInt8(value >> shift & 255) }
    }

    /// Returns the index of a multi-picture file with two images (CIPA DC-007, 5.2), big-endian.
    private static func index(type: Int, sizes: (Int, Int), offset: Int) -> JPEGWriter.Segment {
        let directory: [UInt8] = [0, 1, 0xB0, 0x02, 0, 7] + word(32) + word(26) + word(0)
        let first = word(0x03_0000) + word(sizes.0) + word(0) + word(0)
        let second = word(type) + word(sizes.1) + word(offset) + word(0)
        return .init(
            marker: 0xE2,
            payload: Array("MPF\0".utf8) + [0x4D, 0x4D, 0, 0x2A] + word(8) + directory + first + second)
    }

    /// Returns a file with another image appended.
    private static func pair(type: Int, second: [UInt8]) throws -> [UInt8] {
        let draft = try image([index(type: type, sizes: (0, 0), offset: 0)])
        let start = try #require(draft.firstRange(of: Array("MPF\0".utf8))).upperBound
        return try image([index(type: type, sizes: (draft.count, second.count), offset: draft.count - start)]) + second
    }

    private func attachments(_ bytes: [UInt8]) throws -> Set<ImageAttachment> {
        try CodecRegistry.shared.open(InputBytes(bytes)).attachments(nil)
    }

    @Test func whatIsFound() throws {
        let plain = try Self.image()
        #expect(try attachments(plain) == [])
        #expect(try attachments(Self.image([Self.xmp("<x xmlns:hdrgm='' hdrgm:Version='1.0'/>")])) == [.gainMap])
        let gainMap = try Self.image([Self.xmp("<x hdrgm:GainMapMax='2'/>")], seed: 2)
        #expect(try attachments(Self.pair(type: 0, second: gainMap)) == [.gainMap])
        #expect(try attachments(Self.pair(type: 0x02_0002, second: plain)) == [.image])
        // A smaller version of the same image.
        #expect(try attachments(Self.pair(type: 0x01_0001, second: plain)) == [])
        for sign in ["GCamera:MotionPhoto=\"1\"", "<Camera:MotionPhoto>1</x>", "GCamera:MicroVideo=\"1\""] {
            #expect(try attachments(Self.image([Self.xmp("<x \(sign)/>")])) == [.video], "\(sign)")
        }
        #expect(try attachments(Self.image([Self.xmp("<x GCamera:MotionPhoto=\"0\"/>")])) == [])
        #expect(try attachments(plain + [1, 2, 3] + Array("SEFT".utf8)) == [.video])
    }

    /// The index in the new file refers to the second image, wherever the index is.
    @Test func placesAreCorrected() throws {
        let second = try Self.image(seed: 3)
        let file = try Self.pair(type: 0, second: second)
        let source = try CodecRegistry.shared.open(InputBytes(file))
        let metadata = WrittenMetadata(
            exif: TestEXIF.block(orientation: .identity), density: source.info.metadata.density)
        let rewritten = try source.rewritten(
            metadata: metadata, keeping: [.color, .attachments], stop: nil)
        let recompressed = try source.recompressed(
            settings: EncodingSettings(), metadata: metadata, keeping: [.color, .attachments],
            options: DecodeOptions(), parallelism: 1, progress: nil)
        guard case .file(let smaller) = recompressed else { throw TexelError.unsupported("recompression") }
        for bytes in [rewritten, smaller] {
            #expect(bytes.suffix(second.count).elementsEqual(second))
            let start = try #require(bytes.firstRange(of: Array("MPF\0".utf8))).upperBound
            func number(_ at: Int) -> Int { bytes[(start + at)..<(start + at + 4)].reduce(0) { $0 << 8 | Int($1) } }
            #expect(number(26 + 4) == bytes.count - second.count)
            #expect(start + number(26 + 16 + 8) == bytes.count - second.count)
            #expect(try attachments(bytes) == [.image])
            #expect(try CodecRegistry.shared.open(InputBytes(bytes)).info.size == Self.size)
        }
        let without = try source.rewritten(metadata: metadata, keeping: [.color], stop: nil)
        #expect(try attachments(without) == [] && without.firstRange(of: Array("MPF\0".utf8)) == nil)
    }

    /// A damaged index is read and written within its bounds.
    @Test func damagedIndexesKeepTheSecondImage() throws {
        let second = try Self.image(seed: 3)
        let file = try Self.pair(type: 0, second: second)
        let start = try #require(file.firstRange(of: Array("MPF\0".utf8))).upperBound
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                damaged[start + Int.random(in: 0..<58, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let source = try CodecRegistry.shared.open(InputBytes(damaged))
            _ = try source.attachments(nil)
            let result = try source.rewritten(
                metadata: WrittenMetadata(), keeping: [.color, .attachments], stop: nil)
            #expect(result.suffix(second.count).elementsEqual(second))
        }
    }

    @Test(.enabled(if: Corpora.isThere)) func realGainMaps() throws {
        for name in ["libavif/apple_gainmap_old.jpg", "sharp/gain-map.jpg"] {
            let file = try #require(TestFolders.corpora).appendingPathComponent("photos/colour/\(name)")
            #expect(try attachments(Corpora.bytes(file)) == [.gainMap], "\(name)")
        }
    }
}
