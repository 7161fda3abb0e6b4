import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

@Suite("Y4M source")
struct Y4MSourceTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8]) throws -> StreamInput {
        .file(FilePath(try directory.add(UUID().uuidString, bytes)))
    }

    /// A stream of frames, each preceded by the line `frameLine`.
    private func stream(_ header: String, _ frames: [[UInt8]], frameLine: String = "FRAME") -> [UInt8] {
        Array("YUV4MPEG2 \(header)\n".utf8) + frames.flatMap { Array("\(frameLine)\n".utf8) + $0 }
    }

    @Test(
        "Every colour space has the bytes of its planes, from files and pipes",
        arguments: [
            ("C420", YUVFormat.i420), ("C420jpeg", .i420), ("C420mpeg2", .i420), ("C420paldv", .i420), ("", .i420),
            ("XYSCSS=422", YUVFormat(.yuv422)), ("C422", YUVFormat(.yuv422)), ("C444", YUVFormat(.yuv444)),
            ("Cmono", YUVFormat(.none)), ("C420p10", YUVFormat(.yuv420, bitDepth: 10)),
            ("C422p10", YUVFormat(.yuv422, bitDepth: 10)), ("C444p10", YUVFormat(.yuv444, bitDepth: 10)),
            ("Cmono10", YUVFormat(.none, bitDepth: 10)), ("C444 XYSCSS=420", YUVFormat(.yuv444)),
        ])
    func everyColorSpaceHasItsPlanes(_ parameters: String, _ format: YUVFormat) throws {
        let size = PixelSize(width: 13, height: 7)
        let count = try format.byteCount(of: size)
        let images = (0..<5).map { noise(count, seed: $0) }
        let bytes = stream("W13 H7 F30000:1001 Ip A1:1 \(parameters)", images, frameLine: "FRAME Iti? XABC")
        let pipe = try FedPipe(bytes)
        for input in [try file(bytes), pipe.input] {
            let source = try Y4MSource(input)
            let rate = try #require(FrameRate(30_000, per: 1001))
            let layout = SampleLayout(.yuv(format, YUVColor(.bt601, .limited)), size)
            #expect(source.format == FrameFormat(size: size, rate: rate, color: YUVColor(.bt601, .limited)))
            let (frames, error) = source.frames()
            #expect(error == nil)
            #expect(frames.map(\.bytes) == images)
            #expect(frames.allSatisfy { $0.layout == layout })
            #expect(frames.map(\.time) == (0..<5).map { rate.time(ofFrame: $0) })
            #expect(frames.map(\.index) == Array(0..<5))
            #expect(frames.allSatisfy { $0.fields == nil })
            #expect(source.frames().frames.isEmpty)
        }
    }

    @Test(
        "The header says which field is first",
        arguments: [
            ("It", FieldOrder.topFirst), ("Ib", .bottomFirst), ("Ip", nil), ("I?", nil), ("", nil), ("It0", nil),
        ]
    )
    func headerTellsTheFirstField(_ parameter: String, _ order: FieldOrder?) throws {
        let source = try Y4MSource(try file(stream("W2 H2 Cmono \(parameter)", [[1, 2, 3, 4], [5, 6, 7, 8]])))
        #expect(source.format.fields == order)
        #expect(source.frames().frames.map(\.fields) == [order, order])
    }

    @Test("The frames of a mixed stream say which field is first, or that they are progressive")
    func framesOfMixedStreamsTellTheirFields() throws {
        let lines: [(String, FieldOrder?)] = [
            ("FRAME Iti?", .topFirst), ("FRAME XA ITii", .topFirst), ("FRAME Ibip", .bottomFirst),
            ("FRAME IBii", .bottomFirst), ("FRAME Itpp", nil), ("FRAME I1pp", nil), ("FRAME I3pp", nil),
            ("FRAME", nil), ("FRAME It", nil), ("FRAME I", nil),
        ]
        let bytes = Array("YUV4MPEG2 W2 H1 Cmono Im\n".utf8) + lines.flatMap { Array("\($0.0)\n".utf8) + [1, 2] }
        let source = try Y4MSource(try file(bytes))
        #expect(source.format.fields == nil)
        #expect(source.frames().frames.map(\.fields) == lines.map(\.1))
    }

    @Test("A file gives the places of its samples, a pipe the samples in buffers of its pool")
    func filesGivePlacesAndPipesSamples() throws {
        let bytes = stream("W2 H2 F25:1 Cmono", [[1, 2, 3, 4], [5, 6, 7, 8]])
        let fromFile = try Y4MSource(try file(bytes)).next(StopToken()).orFail()
        guard case .fileSamples(_, let offset, _) = fromFile.takeContent() else {
            Issue.record("not the place")
            return
        }
        #expect(offset == bytes.count - 14)
        var options = StreamOptions()
        options.bufferCount = 1
        let pipe = try FedPipe(bytes)
        let source = try Y4MSource(pipe.input, options: options)
        let stop = StopToken()
        let first = try source.next(stop).orFail()
        guard case .samples(let samples) = first.takeContent() else {
            Issue.record("not the samples")
            return
        }
        #expect(samples.lease.withUnsafeBytes { Array($0[..<4]) } == [1, 2, 3, 4])
        // The only buffer is held, so the second frame waits until the stop.
        stop.cancel()
        let hasSecond = try source.next(stop).isThere
        #expect(!hasSecond)
    }

    @Test(
        "The caller says the colours and the header the rate; without them, what is usual holds",
        arguments: [
            ("W2 H2 F0:1 XCOLORRANGE=FULL", YUVColor(.bt601, .full), 25), ("W2 H576", YUVColor(.bt601, .limited), 25),
            ("W2 H577 F0:0", YUVColor(.bt709, .limited), 25), ("W2 H2 F50:1 C420jpeg", YUVColor(.bt601, .limited), 50),
            ("W1279 H2", YUVColor(.bt601, .limited), 25), ("W1280 H2", YUVColor(.bt709, .limited), 25),
            ("W2 H577 XCOLORRANGE=FULL XCOLORRANGE=LIMITED", YUVColor(.bt709, .limited), 25),
        ])
    func headerAndCallerReplaceDefaults(_ header: String, _ color: YUVColor, _ rate: Int) throws {
        let bytes = stream(header, [])
        let source = try Y4MSource(try file(bytes))
        #expect(source.format.color == color)
        #expect(source.format.rate == FrameRate(rate))
        var options = StreamOptions()
        options.color = YUVColor(.bt709, .full)
        options.rate = FrameRate(3)
        let told = try Y4MSource(try file(bytes), options: options)
        #expect(told.format.color == YUVColor(.bt709, .full))
        #expect(told.format.rate == (rate == 50 ? FrameRate(50) : FrameRate(3)))
    }

    @Test(
        "Headers that cannot be are refused with a reason",
        arguments: [
            ("YUV4MPEG2 H2", "no width"), ("YUV4MPEG2 W2", "no height"), ("YUV4MPEG2", "no width"),
            ("YUV4MPEG2 W0 H2", "invalid width '0'"), ("YUV4MPEG2 W2 H-2", "invalid height '-2'"),
            ("YUV4MPEG2 W99999999999999999999 H2", "invalid width"), ("YUV4MPEG2 W2x H2", "invalid width '2x'"),
            ("YUV4MPEG2 W2 H2 F25", "invalid frame rate '25'"), ("YUV4MPEG2 W2 H2 F25:0", "rate"),
            ("YUV4MPEG2 W2 H2 F-1:1", "rate"), ("YUV4MPEG2 W2 H2 F1:99999999999", "rate"),
            ("YUV4MPEG2 W2 H2 F1:1:1", "rate"), ("YUV4MPEGX W2 H2", "does not begin"), ("", "does not begin"),
            ("YUV4MPEG2 W2 H2 C411", "411' is not supported"), ("YUV4MPEG2 W2 H2 C444alpha", "444alpha' is not"),
            ("YUV4MPEG2 W2 H2 C420p12", "not supported"), ("YUV4MPEG2 W2 H2 C420p16", "not supported"),
            ("YUV4MPEG2 W2 H2 C\u{7}\u{1B}[2J", "'??[2J'"),
            ("YUV4MPEG2 W65536 H1", "an image side of 65536 pixels exceeds the limit"),
            ("YUV4MPEG2 W60000 H60000", "an image of 3600000000 pixels exceeds the limit"),
            ("YUV4MPEG2 W2 H2 X" + String(repeating: "A", count: 5000), "does not end with a newline"),
        ])
    func invalidHeadersAreRefused(_ header: String, _ reason: String) throws {
        let bytes = Array("\(header)\nFRAME\n".utf8) + [UInt8](repeating: 1, count: 6)
        let pipe = try FedPipe(bytes)
        for input in [try file(bytes), pipe.input] {
            let error = #expect(throws: TexelError.self) { _ = try Y4MSource(input) }
            #expect("\(try #require(error))".contains(reason))
        }
    }

    /// The aspect ratio of pixels; 0:0 means unknown.
    @Test(arguments: [
        ("A1:1", PixelAspect.square), ("A64:45", PixelAspect(horizontal: 64, vertical: 45)), ("A0:0", nil), ("", nil),
        ("A", nil), ("A1", nil), ("A-1:1", nil), ("A1:99999999999999999999", nil), ("A1:1:1", nil), ("A1000:1", nil),
    ])
    func onlyValidAspectsAreParsed(_ parameter: String, _ aspect: PixelAspect?) throws {
        #expect(try Y4MHeader(Array("YUV4MPEG2 W4 H2 \(parameter)".utf8)).pixelAspect == aspect)
    }

    @Test("The size at which frames are shown is within the limits, too")
    func aspectAndLimits() throws {
        let input = try file(stream("W4 H2 A10:1", []))
        var options = StreamOptions()
        options.limits.pixels = 40 * 2
        #expect(try Y4MSource(input, options: options).format.size == PixelSize(width: 40, height: 2))
        options.limits.pixels -= 1
        #expect(throws: TexelError.limitExceeded(.pixels, value: 80, allowed: 79)) {
            try Y4MSource(input, options: options)
        }
    }

    /// Streams that FFmpeg may read instead are distinguished from damaged ones.
    @Test(arguments: [
        ("C411", true), ("C420p12", true), ("C444alpha", true), ("Cnone", true), ("W0", false), ("F1:0", false),
        ("H-1", false),
    ])
    func unsupportedColorSpaces(_ parameter: String, _ isUnsupported: Bool) throws {
        let error = #expect(throws: TexelError.self) {
            _ = try Y4MHeader(Array("YUV4MPEG2 W4 H2 \(parameter)".utf8))
        }
        #expect((error?.kind == .unsupported) == isUnsupported)
    }

    @Test("A stream cut at any byte gives its whole frames and an error, and never a frame more")
    func cutStreamGivesItsWholeFrames() throws {
        let images = [[UInt8](1...6), [UInt8](7...12)]
        let bytes = stream("W2 H2 F25:1", images)
        let header = bytes.count - 24
        for count in 0..<bytes.count {
            let cut = Array(bytes[..<count])
            let pipe = try FedPipe(cut)
            for input in [try file(cut), pipe.input] {
                guard count >= header else {
                    #expect(throws: TexelError.invalidStream("the Y4M header does not end with a newline")) {
                        _ = try Y4MSource(input)
                    }
                    continue
                }
                let (frames, error) = try Y4MSource(input).frames()
                let (whole, rest) = (count - header).quotientAndRemainder(dividingBy: 12)
                #expect(frames.map(\.bytes) == Array(images.prefix(whole)))
                #expect(error == (rest == 0 ? nil : .truncated(frame: whole, bytesRead: max(0, rest - 6), bytes: 6)))
            }
        }
    }

    @Test("A frame's first line must be FRAME, and end")
    func wrongFrameLinesAreErrors() throws {
        let wrong = stream("W2 H2", [[UInt8](1...6)]) + Array("FRAMF\n".utf8) + [UInt8](1...6)
        let outcome = try Y4MSource(try file(wrong)).frames()
        #expect(outcome.frames.count == 1)
        #expect(outcome.error == .invalidStream("frame 1 of the Y4M stream does not begin with FRAME"))
        let endless = stream("W2 H2", [[UInt8](1...6)], frameLine: "FRAME X" + String(repeating: "A", count: 2000))
        #expect(
            try Y4MSource(try file(endless)).frames().error
                == .invalidStream("the first line of frame 0 of the Y4M stream is too long"))
    }

    @Test("A file that grows is read on")
    func growingFileIsReadOn() throws {
        let path = try directory.add("growing", stream("W2 H2", [[UInt8](1...6)]))
        let source = try Y4MSource(.file(FilePath(path)))
        let stop = StopToken()
        let hasFirst = try source.next(stop).isThere
        #expect(hasFirst)
        let more = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.append, .closeOnExec])
        try more.writeAll(Array("FRAME\n".utf8) + [UInt8](7...12))
        try more.close()
        #expect(source.frames().frames.map(\.bytes) == [[UInt8](7...12)])
    }

    @Test("Random headers and random damage end in frames or an error")
    func randomDamageGivesFramesOrErrors() throws {
        var random = SeededGenerator(seed: 11)
        let whole = stream("W4 H2 F25:1 Ip A1:1 C420 XYSCSS=420", [noise(12, seed: 1), noise(12, seed: 2)])
        let alphabet = Array("WHFIACX0123456789:-= \n420mono422444p1".utf8)
        var outcomes: Set<Bool> = []
        for round in 0..<400 {
            var bytes = whole
            if round % 2 == 0 {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            } else {
                let line = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                }
                bytes = Y4MHeader.magic + line + Array("\nFRAME\n".utf8) + noise(12, seed: UInt64(round))
            }
            do throws(TexelError) {
                var stream = try ByteStream(try input(bytes))
                _ = try stream.buffer(1, StopToken())
                let source = try Y4MSource(stream, options: StreamOptions(), stop: StopToken())
                let (frames, error) = source.frames()
                #expect(frames.count <= bytes.count)
                outcomes.insert(error == nil)
            } catch {
                outcomes.insert(false)
            }
        }
        #expect(outcomes == [true, false])
    }

    private func input(_ bytes: [UInt8]) throws(TexelError) -> StreamInput {
        do {
            return .file(FilePath(try directory.add("fuzzed", bytes)))
        } catch {
            throw .cannotWrite(.ioError)
        }
    }

    @Test("The clips of the corpora have the frames that their sizes promise", .enabled(if: TestFolders.corpora != nil))
    func realClipsAreReadCompletely() throws {
        let folder = try #require(TestFolders.corpora).appendingPathComponent("video")
        let clips = TestFolders.files(below: folder).filter { $0.pathExtension == "y4m" }
        #expect(!clips.isEmpty)
        for clip in clips {
            let bytes = [UInt8](try Data(contentsOf: clip))
            let pipe = try FedPipe(bytes)
            let fromFile = try Y4MSource(.file(FilePath(clip.path)))
            let fromPipe = try Y4MSource(pipe.input)
            #expect(fromFile.format == fromPipe.format)
            let (frames, error) = fromFile.frames()
            #expect(error == nil && !frames.isEmpty)
            #expect(fromPipe.frames().frames == frames)
            // Joined with plain frame lines, the frames equal the file.
            let header = try #require(bytes.firstIndex(of: 10)) + 1
            #expect(
                Array(bytes[..<header]) + frames.flatMap { Array("FRAME\n".utf8) + $0.bytes } == bytes,
                "\(clip.lastPathComponent)")
        }
    }
}
