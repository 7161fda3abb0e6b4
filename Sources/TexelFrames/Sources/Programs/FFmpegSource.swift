import SystemPackage
import TexelCodecs
import TexelPipeline
import TexelPixels

/// Any video file, URL or camera that ffmpeg can read, decoded by the program `ffmpeg`, a child process.
///
/// It writes uncoded pictures with their exact times as NUT into a pipe. `ffprobe` is asked before in what form they
/// are; without it they come as 4:2:0 of the limited range. ffmpeg turns the pictures of phones upright. Where damage
/// in a file does not end ffmpeg, it does not end the stream either.
///
/// The program is looked after by a task: wait for frames on a thread, as a pipeline does, and not in asynchronous code,
/// whose few threads the task needs.
public final class FFmpegSource: FrameSource {
    private let reader: SharedReader<FFmpegReader>

    public var format: FrameFormat { reader.format }

    /// Starts ffmpeg and waits for its first bytes.
    ///
    /// - Parameters:
    ///   - input: a path, a URL (`https://…`, `rtsp://…`), or a camera (`/dev/video0`).
    ///   - options: `stallLimit` is 30 seconds where it is `nil`.
    /// - Throws: `programMissing`, `programFailed` with what the program said last, `stalled`, `file(.missing)`,
    ///   `codec(.limitExceeded)`, `stopped`.
    public init(
        _ input: String, options: StreamOptions = StreamOptions(), programs: FFmpegPrograms = .onPath,
        stop: FrameStop = FrameStop()
    ) throws(FrameError) {
        reader = SharedReader(try FFmpegReader(FFmpegInput(input), options, programs, stop))
    }

    public func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? { try reader.next(stop) }
}

/// How ffmpeg is told what to read.
struct FFmpegInput: Equatable {
    var arguments: [String]
    var isCamera: Bool
    /// Whether pictures come when they come: from a camera, or by a protocol for them.
    var isLive: Bool
    /// The file, where it is one.
    var path: FilePath?
    /// The camera.
    var device: FilePath?

    init(_ input: String) {
        isCamera = input.hasPrefix("/dev/video")
        path = isCamera || Self.isURL(input) ? nil : FilePath(input)
        device = isCamera ? FilePath(input) : nil
        let liveSchemes = ["rtsp:", "rtsps:", "rtmp:", "rtmps:", "rtp:", "udp:", "srt:"]
        isLive = isCamera || path == nil && liveSchemes.contains { input.lowercased().hasPrefix($0) }
        // The prefix keeps names from being taken for options and protocols.
        arguments = (isCamera ? ["-f", "v4l2"] : []) + ["-i", path == nil ? input : "file:\(input)"]
    }

    /// A name of letters, digits, plus, dot and minus, and `://`.
    private static func isURL(_ input: String) -> Bool {
        guard let end = input.firstRange(of: "://")?.lowerBound, let first = input.first, first.isASCII, first.isLetter
        else { return false }
        return input[..<end].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    }
}

private struct FFmpegReader: StreamReader, ~Copyable {
    let format: FrameFormat
    /// `nil` once its program has ended. Goes before the program: whoever waits to write into a pipe heeds no signal.
    private var frames: NUTReader?
    private let child: ChildProgram
    private let stallLimit: Duration

    static let defaultStallLimit = Duration.seconds(30)

    init(
        _ input: FFmpegInput, _ options: StreamOptions, _ programs: FFmpegPrograms, _ stop: FrameStop
    ) throws(FrameError) {
        if let path = input.path ?? input.device {
            do { try path.checkExists() } catch { throw .file(error) }
        }
        guard let ffmpeg = programs.ffmpeg else { throw .programMissing("ffmpeg") }
        let stallLimit = options.stallLimit ?? Self.defaultStallLimit
        var video: VideoDescription?
        if let ffprobe = programs.ffprobe {
            video = try Self.describe(input, ffprobe, options.limits, stallLimit, stop)
        }
        let conversion = FFmpegConversion(for: video, forced: options.color)
        let (child, output) = try ChildProgram.start(ffmpeg, Self.arguments(input, video, conversion))
        var options = options
        options.color = conversion.color.map { color in
            options.color ?? YUVColor(options.matrix ?? color.matrix, options.range ?? color.range)
        }
        let frames: NUTReader
        do throws(FrameError) {
            frames = try NUTReader(ByteStream(owning: output, stallLimit: stallLimit), options, stop)
        } catch {
            throw child.reason(for: error, stallLimit, stop)
        }
        var format = frames.format
        format.rate = video?.rate ?? format.rate
        format.isLive = input.isLive
        self.format = format
        self.frames = consume frames
        self.child = child
        self.stallLimit = stallLimit
    }

    private static func describe(
        _ input: FFmpegInput, _ ffprobe: FilePath, _ limits: Limits, _ stallLimit: Duration, _ stop: FrameStop
    ) throws(FrameError) -> VideoDescription {
        let arguments =
            ["-v", "error", "-select_streams", "v:0", "-show_entries", VideoDescription.entries]
            + ["-of", "default=noprint_wrappers=1"] + input.arguments
        let (child, output) = try ChildProgram.start(ffprobe, arguments)
        let lines: [String]
        do throws(FrameError) {
            lines = try Self.lines(ByteStream(owning: output, stallLimit: stallLimit), stop)
        } catch {
            throw child.reason(for: error, stallLimit, stop)
        }
        if let error = child.endError(stallLimit, stop) { throw error }
        let video = VideoDescription(lines)
        guard let size = video.size else { throw .invalidStream("there are no pictures in it") }
        do throws(CodecError) { try limits.check(size) } catch { throw .codec(error) }
        return video
    }

    private static func lines(_ stream: consuming ByteStream, _ stop: FrameStop) throws(FrameError) -> [String] {
        var lines: [String] = []
        while let count = try stream.bufferLine(limit: 1000, stop), lines.count < 100 {
            lines.append(String(decoding: stream.firstBytes(count), as: UTF8.self))
            stream.take(count + 1)
        }
        return lines
    }

    private static func arguments(
        _ input: FFmpegInput, _ video: VideoDescription?, _ conversion: FFmpegConversion
    ) -> [String] {
        ["-nostdin", "-hide_banner", "-loglevel", "error"] + input.arguments + ["-map", "0:v:0"]
            // Without its clock, times would be rounded to the average distance of the frames.
            + ["-fps_mode", "passthrough", "-enc_time_base", video?.timeBase ?? "1/1000000"]
            + (conversion.filter.map { ["-vf", $0] } ?? [])
            + ["-pix_fmt", conversion.pixelFormat, "-c:v", "rawvideo", "-f", "nut", "pipe:1"]
    }

    mutating func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        do throws(FrameError) {
            if let frame = try frames?.next(stop) { return frame }
        } catch {
            frames = nil
            throw child.reason(for: error, stallLimit, stop)
        }
        frames = nil
        if let error = child.endError(stallLimit, stop) { throw error }
        return nil
    }
}

extension ChildProgram {
    /// What was wrong with a program whose output has ended.
    fileprivate func endError(_ limit: Duration, _ stop: FrameStop) -> FrameError? {
        let step = Duration.milliseconds(50)
        for waited in 0... where !stop.isStopped {
            switch wait(atMost: min(step, limit)) {
            case .success: return nil
            case .failure(let reason): return .programFailed(name, reason: reason)
            case nil:
                guard step * waited >= limit else { continue }
                end()
                return .stalled(limit)
            }
        }
        end()
        return .stopped
    }

    /// Why the program's output could not be read. Where it is cut, the program's own reason is the better one.
    fileprivate func reason(for error: FrameError, _ limit: Duration, _ stop: FrameStop) -> FrameError {
        switch error {
        case .truncated, NUTFields.cutHeaders: return endError(limit, stop) ?? error
        default:
            end()
            return error
        }
    }
}
