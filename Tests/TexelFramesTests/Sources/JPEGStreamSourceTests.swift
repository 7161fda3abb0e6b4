import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

@testable import TexelFrames

@Suite("JPEG stream source")
struct JPEGStreamSourceTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8]) throws -> StreamInput {
        .file(FilePath(try directory.add(UUID().uuidString, bytes)))
    }

    /// A minimal JPEG: a frame header, a scan with restart markers and stuffed bytes, fill bytes before its end.
    private static func small(_ width: UInt8) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE1, 0, 8] + [0xFF, 0xD8, 0xFF, 0xFF, 0xD9, 7]
            + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, width, 1, 1, 0x11, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4, 0xFF, 0xD7, 5]
            + [0xFF, 0xFF, 0xFF, 0xD9]
    }

    @Test("Pictures are found between what is none, from files and pipes")
    func imagesAreFoundBetweenOtherBytes() throws {
        let names = ["gray.jpg", "photograph.jpg", "progressive.jpg", "metadata.jpg", "cmyk.jpg", "orientation-6.jpg"]
        let images = try names.map { try TestFolders.testImage($0) } + [Self.small(3), Self.small(4)]
        let boundary = Array("\r\n--frame\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
        for between in [
            [], boundary, [0xFF, 0xFF, 0xD8, 0xD8, 0xFF, 0xD9, 0xFF], noise(100_000, seed: 1).map { $0 & 127 },
        ] {
            let bytes = images.flatMap { between + $0 } + between
            let pipe = try FedPipe(bytes)
            for input in [try file(bytes), pipe.input] {
                var options = StreamOptions()
                options.rate = FrameRate(5)
                options.bufferCount = 1
                let source = try JPEGStreamSource(input, options: options)
                let size = try CodecRegistry.shared.open(InputBytes(images[0])).info.size
                #expect(source.format == FrameFormat(size: size, rate: FrameRate(5), isEncoded: true))
                let (frames, error) = source.frames()
                #expect(error == nil)
                #expect(frames.map(\.bytes) == images)
                #expect(frames.map(\.time) == images.indices.map { .milliseconds(200 * $0) })
            }
        }
    }

    @Test("The size is that of the first picture as displayed")
    func sizeFollowsTheOrientation() throws {
        let bytes = try TestFolders.testImage("orientation-6.jpg")
        let info = try CodecRegistry.shared.open(InputBytes(bytes)).info
        #expect(try JPEGStreamSource(try file(bytes)).format.size == info.displaySize)
        #expect(info.displaySize != info.size)
    }

    @Test("A stream cut at any byte gives its whole pictures, and an error for the rest of one")
    func cutStreamGivesItsWholeImages() throws {
        let images = [Self.small(1), Self.small(2)]
        let bytes = images.flatMap { $0 }
        let half = images[0].count
        for count in 0..<bytes.count {
            let cut = Array(bytes[..<count])
            let pipe = try FedPipe(cut)
            for input in [try file(cut), pipe.input] {
                let (whole, rest) = count.quotientAndRemainder(dividingBy: half)
                var frames: [ReadFrame] = []
                var error: TexelError?
                do throws(TexelError) { (frames, error) = try JPEGStreamSource(input).frames() } catch let thrown {
                    error = thrown
                }
                #expect(frames.map(\.bytes) == Array(images.prefix(whole)))
                // The first three bytes do not count as an image yet.
                let expected: TexelError? =
                    rest > 2
                    ? .invalidStream(
                        "the stream ends inside frame \(whole), after \(error?.bytesSaid ?? 0) bytes of it")
                    : whole == 0 ? .invalidStream("the stream contains no JPEG image") : nil
                #expect(error == expected)
                if rest > 2 { #expect((error?.bytesSaid ?? 99) <= rest) }
            }
        }
    }

    @Test("A picture without an end ends where the next begins")
    func imageWithoutEndEndsAtTheNext() throws {
        let bytes = Self.small(1).dropLast(4) + Self.small(2)
        let frames = try JPEGStreamSource(try file(Array(bytes))).frames()
        #expect(frames.error == nil)
        #expect(frames.frames.map(\.bytes) == [Array(Self.small(1).dropLast(4)), Self.small(2)])
    }

    @Test("Pictures, and what is none, have a limit")
    func imagesAndOtherBytesAreLimited() throws {
        var options = StreamOptions()
        let image = Self.small(1)
        let large = Array(image.dropLast(4)) + [UInt8](repeating: 5, count: 40) + image.suffix(4)
        for count in image.count..<large.count {
            options.limits.inputBytes = count
            let (frames, error) = try JPEGStreamSource(try file(image + large), options: options).frames()
            #expect(frames.map(\.bytes) == [image])
            guard let error, error.kind == .limitExceeded(.inputBytes),
                let value = Int(error.description.split(separator: " ")[5]),
                error == .limitExceeded(.inputBytes, value: value, allowed: count)
            else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(value > count && value <= large.count)
        }
        options.limits.inputBytes = 1000
        #expect(throws: TexelError.invalidStream("no JPEG image was found in 4096 bytes")) {
            var options = StreamOptions()
            options.limits.inputBytes = 1000
            let pipe = try FedPipe([UInt8](repeating: 1, count: 4096))
            _ = try JPEGStreamSource(pipe.input, options: options)
        }
        options.limits = Limits()
        options.limits.side = 0
        let error = #expect(throws: TexelError.self) { _ = try JPEGStreamSource(try file(image), options: options) }
        #expect("\(try #require(error))".contains(" pixels exceeds the limit of 0"))
    }

    @Test("Random damage ends in pictures or an error")
    func randomDamageGivesImagesOrErrors() throws {
        var random = SeededGenerator(seed: 2)
        let whole = (1...5).flatMap { Self.small($0) }
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let special: [UInt8] = [0xFF, 0xD8, 0xD9, 0xDA, 0xE1, 0, 2]
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = special.randomElement(using: &random) ?? 0
            }
            let input = try file(bytes)
            do throws(TexelError) {
                let frames = try JPEGStreamSource(input).frames().frames
                #expect(frames.count <= 10 && frames.reduce(0) { $0 + $1.bytes.count } <= bytes.count)
            } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
    }

    @Test("Motion JPEG of ffmpeg has as many pictures as ffmpeg made", .enabled(if: Program.ffmpeg != nil))
    func motionJPEGOfFFmpegIsRead() throws {
        let path = directory("clip.mjpeg")
        try Program.run(
            Program.ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=1", "-c:v", "mjpeg", "-f", "mjpeg", path])
        let pipe = try FedPipe([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        for input in [.file(FilePath(path)), pipe.input] {
            let source = try JPEGStreamSource(input)
            #expect(source.format.size == PixelSize(width: 160, height: 120))
            let (frames, error) = source.frames()
            #expect(error == nil && frames.count == 25)
            for frame in frames {
                let image = try CodecRegistry.shared.open(InputBytes(frame.bytes)).decodedAsStored().image
                #expect(image.size == source.format.size)
            }
        }
    }
}

extension TexelError {
    /// The number of bytes of the last image that the message states.
    fileprivate var bytesSaid: Int? {
        description.split(separator: "after ").last?.split(separator: " ").first.flatMap { Int($0) }
    }
}
