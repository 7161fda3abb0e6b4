import Foundation
import PlatformLibc
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelPixels

@testable import TexelFrames

@Suite("Opening frame sources", .onThreads)
struct FrameSourceOpeningTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private static let noPrograms = FFmpegPrograms(ffmpeg: nil, ffprobe: nil)

    private static var nut: [UInt8] {
        var nut = NUTWriting()
        nut.main()
        nut.stream()
        nut.frame([1, 2, 3, 4, 5, 6], wholeTime: 0)
        return nut.bytes
    }

    /// Makes a FIFO that provides these bytes; returns its path.
    private func fifo(_ bytes: [UInt8]) throws -> String {
        let path = directory(UUID().uuidString)
        try #require(mkfifo(path, 0o600) == 0)
        BrokenPipes.areErrors()
        Thread.detachNewThread {
            guard let writer = try? FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec) else {
                return
            }
            _ = try? writer.writeAll(bytes)
            try? writer.close()
        }
        return path
    }

    @Test("The first bytes tell the stream, of a file and of a FIFO, and are not lost")
    func kinds() throws {
        let y4m = Array("YUV4MPEG2 W3 H2 Cmono\nFRAME\n".utf8) + [1, 2, 3, 4, 5, 6]
        let jpeg = try TestFolders.testImage("size-3x7.jpg")
        let cases: [([UInt8], any FrameSource.Type, [UInt8])] = [
            (y4m, Y4MSource.self, [1, 2, 3, 4, 5, 6]), (Self.nut, NUTSource.self, [1, 2, 3, 4, 5, 6]),
            (jpeg, JPEGStreamSource.self, jpeg),
        ]
        for (bytes, kind, image) in cases {
            for argument in [try directory.add("file", bytes), try fifo(bytes)] {
                let source = try FrameSourceFactory.open(argument, programs: Self.noPrograms)
                #expect(type(of: source) == kind)
                let (frames, error) = source.frames()
                #expect(error == nil && frames.map(\.bytes) == [image])
            }
        }
    }

    @Test("A layout makes any bytes raw samples")
    func raw() throws {
        let layout = SampleLayout(.bgra, PixelSize(width: 1, height: 1))
        for argument in [try directory.add("file", Self.nut), try fifo(Self.nut)] {
            let source = try FrameSourceFactory.open(argument, layout: layout, programs: Self.noPrograms)
            #expect(source is RawVideoSource)
            #expect(source.frames().frames.count == Self.nut.count / 4)
        }
    }

    private func failure(_ argument: String, options: StreamOptions = StreamOptions(), stop: StopToken = StopToken())
        -> FrameError?
    {
        do throws(FrameError) {
            _ = try FrameSourceFactory.open(argument, options: options, programs: Self.noPrograms, stop: stop)
            return nil
        } catch {
            return error
        }
    }

    @Test("Everything else is for FFmpeg, but a pipe that was looked at")
    func others() throws {
        let video = failure(try directory.add("video.mp4", [0, 0, 0, 24]))
        #if LibAV
            let hasLibraries = LibAVSource.library.version != nil
        #else
            let hasLibraries = false
        #endif
        if hasLibraries {
            #expect(video.map { "\($0)" }?.hasPrefix("the video cannot be read: ") == true)
        } else {
            #expect(video == .programNotFound("ffmpeg"))
            #expect(failure("https://example.org/clip.mp4") == .programNotFound("ffmpeg"))
        }
        #expect(failure(try directory.add("empty", [])) == .invalidStream("the input is empty"))
        #expect(failure(try fifo([])) == .invalidStream("the input is empty"))
        #expect(failure("/dev/video-none") == .file(.missing("/dev/video-none")))
        #expect(failure(directory("missing")) == .file(.missing(FilePath(directory("missing")))))
        for bytes in [[0xFF, 0xD8], Array("YUV4MPEG".utf8), Array("nut/multimedia".utf8), noise(100, seed: 1)] {
            guard case .invalidStream(let reason) = failure(try fifo(bytes)) else {
                Issue.record("no failure")
                continue
            }
            #expect(reason.contains("the stream is not Y4M, NUT or JPEG"))
        }
    }

    @Test("A FIFO that nobody writes into is not waited for longer than allowed, nor after a stop")
    func waiting() throws {
        let path = directory("silent")
        try #require(mkfifo(path, 0o600) == 0)
        var options = StreamOptions()
        options.stallLimit = .milliseconds(20)
        #expect(failure(path, options: options) == .stalled(.milliseconds(20)))
        let stop = StopToken()
        Thread.detachNewThread { stop.cancel() }
        #expect(failure(path, stop: stop) == .stopped)
    }
}
