import Foundation
import PlatformLibc
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

@Suite("Opening frame sources", .onThreads)
struct FrameSourceOpeningTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

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
    func firstBytesTellTheFormat() throws {
        let y4m = Array("YUV4MPEG2 W3 H2 Cmono\nFRAME\n".utf8) + [1, 2, 3, 4, 5, 6]
        let jpeg = try TestFolders.testImage("size-3x7.jpg")
        let cases: [([UInt8], any FrameSource.Type, [UInt8])] = [
            (y4m, Y4MSource.self, [1, 2, 3, 4, 5, 6]), (jpeg, JPEGStreamSource.self, jpeg),
        ]
        for (bytes, kind, image) in cases {
            for argument in [try directory.add("file", bytes), try fifo(bytes)] {
                let source = try FrameSourceFactory.open(argument)
                #expect(type(of: source) == kind)
                let (frames, error) = source.frames()
                #expect(error == nil && frames.map(\.bytes) == [image])
            }
        }
    }

    @Test("A layout makes any bytes raw samples")
    func layoutMakesBytesRawSamples() throws {
        let layout = SampleLayout(.bgra, PixelSize(width: 1, height: 1))
        let bytes = Array("YUV4MPEG2 not read as such".utf8)
        for argument in [try directory.add("file", bytes), try fifo(bytes)] {
            let source = try FrameSourceFactory.open(argument, layout: layout)
            #expect(source is RawVideoSource)
            #expect(source.frames().frames.count == bytes.count / 4)
        }
    }

    private func failure(_ argument: String, options: StreamOptions = StreamOptions(), stop: StopToken = StopToken())
        -> TexelError?
    {
        do throws(TexelError) {
            _ = try FrameSourceFactory.open(argument, options: options, stop: stop)
            return nil
        } catch {
            return error
        }
    }

    #if Video
        @Test("Everything else is for FFmpeg, also in a pipe", .enabled(if: Program.ffmpeg != nil))
        func otherFormatsAreOpenedByFFmpeg() throws {
            let path = try directory.clip("clip.mkv", ["-c:v", "ffv1"])
            for argument in [path, try fifo(try directory.bytes("clip.mkv"))] {
                let source = try FrameSourceFactory.open(argument)
                #expect(source is VideoSource)
                let (frames, error) = source.frames()
                #expect(error == nil && frames.count == 10)
            }
            // Samples of Y4M that Texel does not read itself.
            let y4m = try directory.clip("clip.y4m", ["-pix_fmt", "yuv411p"])
            #expect(try FrameSourceFactory.open(y4m).frames().frames.count == 10)
        }
    #endif

    @Test("What is no video is said")
    func inputsWithoutVideoAreRefused() throws {
        #expect(failure(try directory.add("empty", [])) == .invalidStream("the input is empty"))
        #expect(failure(try fifo([])) == .invalidStream("the input is empty"))
        #expect(failure("/dev/video-none") == .missingFile("/dev/video-none"))
        #expect(failure(directory("missing")) == .missingFile(FilePath(directory("missing"))))
        for bytes in [[0xFF, 0xD8], Array("YUV4MPEG".utf8), Array("nut/multimedia".utf8), noise(100, seed: 1)] {
            let error = failure(try fifo(bytes))
            switch error?.kind {
            // Without the trait, or without the libraries.
            case .damaged, .unsupported, .missingLibrary: break
            default: Issue.record("\(error.map { "\($0)" } ?? "no failure")")
            }
        }
    }

    @Test("A FIFO that nobody writes into is not waited for longer than allowed, nor after a stop")
    func waitForSilentFIFOEnds() throws {
        let path = directory("silent")
        try #require(mkfifo(path, 0o600) == 0)
        var options = StreamOptions()
        options.stallLimit = .milliseconds(20)
        #expect(failure(path, options: options) == .stalled(.milliseconds(20)))
        let stop = StopToken()
        Thread.detachNewThread { stop.cancel() }
        #expect(failure(path, stop: stop) == .stopped(.cancelled))
    }
}
