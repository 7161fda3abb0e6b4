import Foundation
import PlatformLibc
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelPixels

@testable import TexelFrames

@Suite("FFmpeg source", .onThreads)
struct FFmpegSourceTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    // MARK: With ffmpeg

    private static let isInstalled = Program.ffmpeg != nil && Program.ffprobe != nil

    /// The decoded samples as ffmpeg outputs them.
    private func decoded(_ path: String, _ arguments: [String]) throws -> [UInt8] {
        try Program.run(
            Program.ffmpeg,
            ["-v", "error", "-i", "file:\(path)", "-map", "0:v:0", "-fps_mode", "passthrough"] + arguments
                + ["-f", "rawvideo", "-"])
    }

    @Test("H.264 of a variable rate keeps its samples and its times", .enabled(if: isInstalled))
    func variableRate() throws {
        let path = try directory.clip(
            "variable.mp4", ["-enc_time_base", "1:90000", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "2"],
            filter: "settb=1/90000,setpts='(N*0.037+N*N*0.0011+0.05)/TB'")
        let source = try FFmpegSource(path)
        #expect(source.format.size == PixelSize(width: 98, height: 54))
        #expect(source.format.color == YUVColor(.bt601, .limited) && !source.format.isLive)
        let (frames, error) = source.frames()
        #expect(error == nil && frames.count == 10)
        #expect(frames.flatMap(\.bytes) == (try decoded(path, ["-pix_fmt", "yuv420p"])))
        let times = try Program.frameTimes(path)
        #expect(frames.map(\.time.microseconds) == times)
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }).count == 9)
    }

    @Test("Pictures that begin later than the sound keep their distance", .enabled(if: isInstalled))
    func lateStart() throws {
        let path = try directory.clip(
            "late.mkv",
            ["-map", "0:v", "-map", "1:a", "-c:v", "ffv1", "-c:a", "pcm_s16le"], filter: "setpts=PTS+0.32/TB",
            inputs: ["-f", "lavfi", "-i", "sine=d=1"])
        let (frames, error) = try FFmpegSource(path).frames()
        #expect(error == nil)
        #expect(frames.first?.time == .milliseconds(320))
    }

    /// Pixel formats: the input's, the one requested from ffmpeg, and how Texel interprets it.
    private static let forms: [(format: String, expected: String, layout: SampleLayout.Format)] = [
        ("yuv420p", "yuv420p", .yuv(.i420, YUVColor(.bt601, .limited))),
        ("yuvj420p", "yuvj420p", .yuv(.i420, YUVColor(.bt601, .full))),
        ("yuv422p", "yuv422p", .yuv(YUVFormat(.yuv422), YUVColor(.bt601, .limited))),
        ("yuv444p", "yuv444p", .yuv(YUVFormat(.yuv444), YUVColor(.bt601, .limited))),
        ("gray", "gray", .yuv(YUVFormat(.none), YUVColor(.bt601, .full))),
        ("bgra", "bgra", .bgra), ("bgr0", "bgra", .bgra), ("gbrp", "bgra", .bgra), ("yuva420p", "bgra", .bgra),
        ("yuv420p10le", "yuv420p", .yuv(.i420, YUVColor(.bt601, .limited))),
        ("yuv444p12le", "yuv444p", .yuv(YUVFormat(.yuv444), YUVColor(.bt601, .limited))),
        ("yuv411p", "yuv422p", .yuv(YUVFormat(.yuv422), YUVColor(.bt601, .limited))),
    ]

    @Test(
        "Samples that Texel reads pass untouched, others lose nothing that eight bits show", .enabled(if: isInstalled))
    func pixelFormats() throws {
        // One run writes all clips and one decodes them all, as starting ffmpeg takes the most time.
        var (writing, inputs, reading): ([String], [String], [String]) = ([], [], [])
        for (index, form) in Self.forms.enumerated() {
            let clip = "file:\(directory("\(form.format).mkv"))"
            let codec = form.format.hasPrefix("yuvj") ? ["-c:v", "mjpeg", "-q:v", "2"] : ["-c:v", "ffv1"]
            writing += ["-pix_fmt", form.format] + codec + [clip]
            inputs += ["-i", clip]
            let scaling = "scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=\(form.expected)"
            reading += ["-map", "\(index):v:0"] + (form.format == form.expected ? [] : ["-vf", scaling])
            reading += ["-pix_fmt", form.expected, "-f", "rawvideo", directory("\(form.format).raw")]
        }
        let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=98x54:r=25:d=0.12"]
        try Program.run(Program.ffmpeg, source + writing)
        try Program.run(Program.ffmpeg, ["-v", "error"] + inputs + reading)
        for form in Self.forms {
            let (frames, error) = try FFmpegSource(directory("\(form.format).mkv")).frames()
            #expect(error == nil && frames.count == 3, "\(form.format)")
            #expect(frames.allSatisfy { $0.layout?.format == form.layout }, "\(form.format)")
            let (bytes, samples) = (frames.flatMap(\.bytes), try directory.bytes("\(form.format).raw"))
            #expect(bytes.count == samples.count, "\(form.format)")
            let most = form.format == form.expected ? 0 : 2
            #expect(zip(bytes, samples).allSatisfy { abs(Int($0) - Int($1)) <= most }, "\(form.format)")
        }
    }

    @Test("A phone's picture stands upright", .enabled(if: isInstalled))
    func rotation() throws {
        let upright = try directory.clip("upright.mp4", ["-pix_fmt", "yuv420p", "-c:v", "mpeg4"])
        let turned = directory("turned.mp4")
        try Program.run(
            Program.ffmpeg,
            ["-v", "error", "-i", upright, "-metadata:s:v", "rotate=90", "-c", "copy", turned])
        let source = try FFmpegSource(turned)
        let isTurned = source.format.size == PixelSize(width: 54, height: 98)
        // Newer versions of ffmpeg do not write this metadata.
        #expect(isTurned || source.format.size == PixelSize(width: 98, height: 54))
        #expect(source.frames().error == nil)
    }

    @Test("Names are names, whatever they look like", .enabled(if: isInstalled))
    func names() throws {
        _ = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
        for name in ["-i.avi", "http:x.avi", "a b'c%d.avi", "concat:x|y.avi"] {
            let path = try directory.add(name, try directory.bytes("clip.avi"))
            #expect(try FFmpegSource(path).frames().frames.count == 10)
        }
        #expect(FFmpegInput("-y").arguments == ["-i", "file:-y"])
        #expect(FFmpegInput("https://example.org/a").arguments == ["-i", "https://example.org/a"])
        #expect(FFmpegInput("-x://a").arguments == ["-i", "file:-x://a"])
        #expect(FFmpegInput("/dev/video0").arguments == ["-f", "v4l2", "-i", "/dev/video0"])
        #expect(FFmpegInput("/dev/video0").isCamera && !FFmpegInput("/dev/null").isCamera)
        let live = ["/dev/video1", "rtsp://camera/1", "https://example.org/a", "rtsp:clip.mp4"].map {
            FFmpegInput($0).isLive
        }
        #expect(live == [true, true, false, false])
    }

    @Test("What ffmpeg cannot read is said in its words", .enabled(if: isInstalled))
    func unreadable() throws {
        let text = try directory.add("text.mp4", Array("not a video".utf8))
        #expect(FFmpegSourceTests.failure(text).map { "\($0)" }?.contains("Invalid data") == true)
        let missing = directory("missing.mp4")
        #expect(FFmpegSourceTests.failure(missing) == .file(.missing(FilePath(missing))))
        let sound = directory("sound.wav")
        try Program.run(Program.ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.1", sound])
        #expect(FFmpegSourceTests.failure(sound) == .invalidStream("the input has no video stream"))
        let path = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
        var options = StreamOptions()
        options.limits.side = 97
        #expect(
            FFmpegSourceTests.failure(path, options: options).map { "\($0)" }?.contains(
                "an image side of 98 pixels exceeds the limit of 97") == true)
    }

    @Test("Without ffprobe the pictures come in the limited range", .enabled(if: isInstalled))
    func withoutProbe() throws {
        let path = try directory.clip("full.avi", ["-pix_fmt", "yuvj420p", "-c:v", "mjpeg"])
        let programs = FFmpegPrograms(ffmpeg: Program.ffmpeg.map { FilePath($0) }, ffprobe: nil)
        let source = try FFmpegSource(path, programs: programs)
        #expect(source.format.color == YUVColor(.bt601, .limited))
        let (frames, error) = source.frames()
        #expect(error == nil)
        #expect(frames.map(\.time) == (0..<10).map { .milliseconds(40 * $0) })
        #expect(frames.allSatisfy { $0.bytes.prefix(98 * 54).allSatisfy { (10...245).contains($0) } })
    }

    private static func failure(
        _ input: String, options: StreamOptions = StreamOptions(), programs: FFmpegPrograms = .onPath
    ) -> FrameError? {
        do throws(FrameError) {
            return try FFmpegSource(input, options: options, programs: programs).frames().error
        } catch {
            return error
        }
    }

    // MARK: With programs that stand in for ffmpeg

    private static let images = (0..<4).map { noise(6, seed: $0) }

    private static var nut: [UInt8] {
        var nut = NUTWriting()
        nut.main(timeBases: [(1, 25)])
        nut.stream()
        for (index, image) in images.enumerated() { nut.frame(image, wholeTime: index) }
        return nut.bytes
    }

    /// A program that writes a stream, shortened by `cut` bytes, and then runs the shell code `rest`. It writes its
    /// process id to the file `pid`.
    private func program(_ rest: String, cut: Int = 0, before: String = ":") throws -> FFmpegPrograms {
        let stream = try directory.add("stream", Self.nut.dropLast(cut))
        let path = directory("pretender")
        let script = "#!/bin/sh\necho $$ > \(directory("pid"))\n\(before)\ncat \(stream)\n\(rest)\n"
        // Written by another process: a file that this one writes may be busy while a parallel test starts a program.
        try Program.run("/bin/sh", ["-c", "printf %s \"$1\" > \"$2\"; chmod +x \"$2\"", "sh", script, path])
        return FFmpegPrograms(ffmpeg: FilePath(path), ffprobe: nil)
    }

    /// Enough time for a program to start on a busy machine. Tests that wait for this limit run in parallel.
    private static let stallLimit = Duration.seconds(5)

    /// Whether the stand-in program has ended.
    private func isGone() throws -> Bool {
        let number = try? directory.bytes("pid")
        // It ended before it wrote its process id.
        guard let number, !number.isEmpty else { return true }
        let pid = try #require(Int32(String(decoding: number, as: UTF8.self).dropLast()))
        return kill(pid, 0) == -1 && errno == ESRCH
    }

    private var input: String { directory.path }

    @Test(
        "A program that ends badly is said after the frames that came whole",
        arguments: [
            ("echo first >&2; printf 'the \\033last\\n\\n' >&2; exit 3", 0, "the [31mlast"), ("exit 3", 0, "status 3"),
            ("kill -9 $$", 0, "signal 9"), ("exit 3", 2, "status 3"), ("kill -9 $$", 2, "signal 9"),
            ("exit 3", 7, "status 3"),
        ])
    func badEnd(_ rest: String, _ cut: Int, _ reason: String) throws {
        let source = try FFmpegSource(
            input, programs: try program(rest.replacing("\\033", with: "\\033[31m"), cut: cut))
        let (frames, error) = source.frames()
        #expect(frames.map(\.bytes) == Array(Self.images.prefix(cut == 0 ? 4 : 3)))
        guard case .programFailed("pretender", let said) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(said.contains(reason), "\(said)")
        #expect(try isGone())
    }

    @Test("A program that ends well with half a picture has cut the stream")
    func cutStream() throws {
        let (frames, error) = try FFmpegSource(input, programs: try program("exit 0", cut: 2)).frames()
        #expect(frames.count == 3)
        #expect(error == .truncated(frame: 3, bytesRead: 4, bytes: 6))
    }

    @Test(
        "A program that hangs is ended after the limit",
        arguments: [
            ("sleep 1000", ":"), ("sleep 1000; true", ":"), ("exec 1>&-; sleep 1000; true", ":"),
            ("while :; do sleep 1000; done", "trap '' TERM"),
        ])
    func hanging(_ rest: String, _ before: String) throws {
        var options = StreamOptions()
        options.stallLimit = Self.stallLimit
        let (frames, error) = try FFmpegSource(input, options: options, programs: try program(rest, before: before))
            .frames()
        #expect(frames.map(\.bytes) == Self.images)
        #expect(error == .stalled(Self.stallLimit))
        #expect(try isGone())
    }

    @Test("A program that hangs before its first byte is ended as well, ffprobe too", arguments: [false, true])
    func hangingStart(isProbe: Bool) throws {
        var options = StreamOptions()
        options.stallLimit = Self.stallLimit
        var programs = try program("true", before: "sleep 1000")
        if isProbe { programs.ffprobe = programs.ffmpeg }
        #expect(Self.failure(input, options: options, programs: programs) == .stalled(Self.stallLimit))
        #expect(try isGone())
    }

    @Test("A stop ends the program, and the stream without an error")
    func stopping() throws {
        let source = try FFmpegSource(input, programs: try program("sleep 1000"))
        let stop = StopToken()
        for _ in 0..<4 {
            let isThere = try source.next(stop).isThere
            #expect(isThere)
        }
        Thread.detachNewThread { stop.cancel() }
        let isThere = try source.next(stop).isThere
        #expect(!isThere)
        #expect(try isGone())
    }

    @Test("A program whose frames nobody wants any more ends with its source, also while it writes")
    func letGo() throws {
        // More than fits into a pipe.
        let programs = try program("cat /dev/zero", before: "trap '' PIPE")
        do {
            let source = try FFmpegSource(input, programs: programs)
            let isThere = try source.next(StopToken()).isThere
            #expect(isThere)
        }
        #expect(try isGone())
    }

    @Test("Much that a program says does not stop it")
    func talkative() throws {
        let programs = try program(
            "yes complaint | head -c 1000000 >&2; echo last >&2; exit 1", before: "yes | head -c 300000 >&2")
        let (frames, error) = try FFmpegSource(input, programs: programs).frames()
        #expect(frames.count == 4)
        #expect(error == .programFailed("pretender", reason: "last"))
    }

    @Test("A program that is not there, or none, is said")
    func missing() throws {
        let nothing = FFmpegPrograms(ffmpeg: nil, ffprobe: nil)
        #expect(Self.failure(input, programs: nothing) == .programNotFound("ffmpeg"))
        let text = FFmpegPrograms(ffmpeg: FilePath(try directory.add("text", [1, 2, 3])), ffprobe: nil)
        guard case .programFailed("text", let reason) = Self.failure(input, programs: text) else {
            Issue.record("no failure")
            return
        }
        #expect(reason.hasPrefix("cannot start the program: "))
    }

    // MARK: The pixel format to request

    private func conversion(_ lines: String..., forced: YUVColor? = nil) -> FFmpegConversion {
        FFmpegConversion(for: VideoDescription(lines), forced: forced)
    }

    @Test("Matrix and range are those of the stream, or made so")
    func colors() {
        let plain = conversion("pix_fmt=yuv420p", "height=1080", "width=1920", "color_space=unknown")
        #expect(plain.color == YUVColor(.bt709, .limited) && plain.colors == nil)
        let tagged = conversion("pix_fmt=nv12", "height=1080", "width=1920", "color_space=smpte170m", "color_range=pc")
        #expect(tagged.pixelFormat == "nv12" && tagged.color == YUVColor(.bt601, .full) && tagged.colors == nil)
        let wide = conversion("pix_fmt=yuv420p10le", "color_space=bt2020nc", "color_range=tv")
        #expect(wide.pixelFormat == "yuv420p" && wide.color == YUVColor(.bt709, .limited))
        #expect(wide.colors?.filter.contains("in_color_matrix=bt2020:out_color_matrix=bt709") == true)
        let full = conversion("pix_fmt=yuvj440p", "color_space=bt470bg")
        #expect(full.pixelFormat == "yuv444p" && full.color == YUVColor(.bt601, .full))
        #expect(full.colors?.filter.contains("in_range=full:out_range=full") == true)
        let forced = conversion("pix_fmt=yuv420p", forced: YUVColor(.bt709, .full))
        #expect(forced.color == YUVColor(.bt709, .full) && forced.colors == nil)
        #expect(conversion("pix_fmt=rgb24").color == nil)
        #expect(FFmpegConversion(for: nil, forced: nil).pixelFormat == "yuv420p")
    }

    @Test("What ffprobe says is read, and what it does not say is not")
    func descriptions() {
        let lines = [
            "pix_fmt=yuv420p", "width=64", "height=48", "avg_frame_rate=0/0", "r_frame_rate=30000/1001",
            "time_base=1/90000", "color_range=unknown", "nonsense", "", "=",
        ]
        let video = VideoDescription(lines)
        #expect(video.size == PixelSize(width: 64, height: 48))
        #expect(video.rate == FrameRate(30_000, per: 1001))
        #expect(video.timeBase == "1/90000" && video.range == nil)
        #expect(VideoDescription([]) == VideoDescription(["width=64", "time_base=0/0", "pix_fmt=unknown"]))
    }
}
