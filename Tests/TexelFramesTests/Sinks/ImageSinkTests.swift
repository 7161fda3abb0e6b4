import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelFrames

/// Frames written as JPEG and PNG files, in one stream or in many files.
@Suite struct ImageSinkTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private func pattern(_ name: String) throws -> NumberedPath { try #require(NumberedPath(directory(name))) }

    private func info(_ bytes: [UInt8]) throws -> ImageInfo { try CodecRegistry.shared.open(InputBytes(bytes)).info }

    private func smooth(_ width: Int, _ height: Int, _ shift: Int = 0) throws -> PixelBuffer {
        try PixelBuffer.make(width: width, height: height) { x, y in
            0xFF00_0000 | UInt32((4 * x + shift) & 255) << 16 | UInt32(4 * y & 255) << 8 | 0x40
        }
    }

    // MARK: MJPEG

    /// Every frame equals the encoder's output for it alone, whatever its size.
    @Test func framesAreEncodedAsSingleImages() throws {
        let images = [try smooth(33, 17), try smooth(33, 17, 50), try smooth(8, 40)]
        try MJPEGSink(.file(path("out.mjpeg")), quality: 70).take(images)
        let options = JPEGOptions(quality: 70, isProgressive: false, effort: .fast)
        #expect(try directory.bytes("out.mjpeg") == images.flatMap { try $0.encoded(as: .jpeg(options)) })
    }

    /// A grey first frame must not give the stream another JPEG format than the rest.
    @Test func grayFrameInColors() throws {
        try MJPEGSink(.file(path("out.mjpeg"))).take([try PixelBuffer(width: 8, height: 8, filledWith: 0xFF80_8080)])
        let info = try info(directory.bytes("out.mjpeg"))
        #expect(info.chromaSubsampling == "4:2:0")
        #expect(!info.isProgressive)
    }

    @Test func qualityThatJPEGDoesNotHave() throws {
        #expect(throws: TexelError.self) {
            try MJPEGSink(.file(path("out.mjpeg")), quality: 101).take([try smooth(8, 8)])
        }
        #expect(try directory.files().isEmpty)
    }

    // MARK: Sequences

    @Test func sequenceOfPNGs() throws {
        let images = try [1, 2, 3].map {
            try PixelBuffer.random(width: 13, height: 7, alphaMode: .straight, seed: $0)
        }
        let sink = try ImageSequenceSink(pattern("deep/%03d.png"), as: .png(PNGOptions(effort: .fast)))
        try sink.take(images)
        #expect(try directory.files() == ["deep/001.png", "deep/002.png", "deep/003.png"])
        for (name, image) in zip(try directory.files(), images) {
            let decoded = try CodecRegistry.shared.open(InputBytes(directory.bytes(name))).decodedAsStored().image
            expectPixelsEqual(decoded, image, name)
        }
    }

    /// A frame of a single colour is written with the same colour type as the others.
    @Test func sequenceOfOneKind() throws {
        let gray = try PixelBuffer(width: 4, height: 4, filledWith: 0xFF80_8080, alphaMode: .opaque)
        try ImageSequenceSink(pattern("%d.png"), as: .png(PNGOptions(effort: .fast))).take([gray, try smooth(4, 4)])
        #expect(try info(directory.bytes("1.png")).colorModel == info(directory.bytes("2.png")).colorModel)
    }

    @Test func sequenceMeetsExistingFiles() throws {
        let images = [try smooth(8, 8), try smooth(8, 8)]
        try directory.add("2.jpg", "old".utf8)
        #expect(throws: TexelError.alreadyExists(path("2.jpg"))) {
            try ImageSequenceSink(pattern("%d.jpg"), as: .jpeg(JPEGOptions())).take(images)
        }
        // Files that were finished stay.
        #expect(try directory.files() == ["1.jpg", "2.jpg"])
        #expect(try directory.bytes("2.jpg") == Array("old".utf8))
        #expect(throws: TexelError.alreadyExists(path("1.jpg"))) {
            try ImageSequenceSink(pattern("%d.jpg"), as: .jpeg(JPEGOptions()))
        }
        try ImageSequenceSink(pattern("%d.jpg"), as: .jpeg(JPEGOptions()), replaces: true).take(images)
        #expect(try info(directory.bytes("2.jpg")).size == images[1].size)
    }

    @Test func transparentFramesInJPEG() throws {
        let clear = try PixelBuffer(width: 8, height: 8, filledWith: 0x00FF_FFFF)
        let sink = try ImageSequenceSink(
            pattern("%d.jpg"), as: .jpeg(JPEGOptions()), firstNumber: 7,
            background: PixelColor(red: 255, green: 0, blue: 0))
        try sink.take([clear])
        let decoded = try CodecRegistry.shared.open(InputBytes(directory.bytes("7.jpg"))).decodedAsStored().image
        expectPixelsEqual(decoded, try PixelBuffer(width: 8, height: 8, filledWith: 0xFFFF_0000), tolerance: 2)
    }

    @Test func singleImageReplacesNoFile() throws {
        try ImageSequenceSink(only: path("a.png"), as: .png(PNGOptions(effort: .fast))).take([try smooth(8, 8)])
        #expect(try directory.files() == ["a.png"])
        #expect(throws: TexelError.alreadyExists(path("a.png"))) {
            try ImageSequenceSink(only: path("a.png"), as: .png(PNGOptions(effort: .fast)))
        }
    }
}
