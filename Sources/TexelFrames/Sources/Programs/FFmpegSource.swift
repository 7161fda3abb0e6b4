import SystemPackage
public import TexelCodecs
import TexelPipeline
import TexelPixels

/// Yields the frames of a video file, URL or camera, decoded by a child process `ffmpeg`.
///
/// ffmpeg writes uncompressed images with exact times as NUT into a pipe. `ffprobe` determines the pixel format first;
/// without it, frames are converted to 4:2:0 with limited range. ffmpeg applies rotation metadata, as in phone videos.
/// Damage that ffmpeg tolerates does not end the stream.
///
/// A task supervises the process: call ``next(_:)`` from a thread, as a pipeline does, not from asynchronous code,
/// which could block the cooperative pool that the task needs.
public final class FFmpegSource: FrameSource {
    private let reader: SharedReader<FFmpegReader>

    /// Properties of the stream.
    public var format: FrameFormat { reader.format }

    /// Starts ffmpeg and waits for its first bytes.
    ///
    /// - Parameters:
    ///   - input: A path, a URL (`https://…`, `rtsp://…`) or a camera (`/dev/video0`).
    ///   - options: Overrides and limits; a `stallLimit` of `nil` means 30 seconds here.
    ///   - programs: Where ffmpeg and ffprobe are.
    ///   - stop: Ends the wait.
    /// - Throws: `programNotFound`; `programFailed` with the program's last error line; `stalled`, `file(.missing)`,
    ///   `codec(.limitExceeded)`, `stopped`.
    public init(
        _ input: String, options: StreamOptions = StreamOptions(), programs: FFmpegPrograms = .onPath,
        stop: StopToken = StopToken()
    ) throws(FrameError) {
        reader = SharedReader(try FFmpegReader(FFmpegInput(input), options, programs, stop))
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? { try reader.next(stop) }
}

/// An input of ffmpeg, ffprobe and their libraries.
struct FFmpegInput: Equatable {
    /// The input by the name that FFmpeg understands.
    var address: String
    var isCamera: Bool
    /// Whether frames arrive in real time: from a camera or over a streaming protocol.
    var isLive: Bool
    /// The file; `nil` for cameras and URLs.
    var path: FilePath?
    /// The camera's device file; `nil` for other inputs.
    var device: FilePath?

    init(_ input: String) {
        isCamera = input.hasPrefix("/dev/video")
        path = isCamera || Self.isURL(input) ? nil : FilePath(input)
        device = isCamera ? FilePath(input) : nil
        let liveSchemes = ["rtsp:", "rtsps:", "rtmp:", "rtmps:", "rtp:", "udp:", "srt:"]
        isLive = isCamera || path == nil && liveSchemes.contains { input.lowercased().hasPrefix($0) }
        // The prefix `file:` keeps paths from being parsed as options or protocols.
        address = path == nil ? input : "file:\(input)"
    }

    /// The arguments for ffmpeg and ffprobe.
    var arguments: [String] { (isCamera ? ["-f", "v4l2"] : []) + ["-i", address] }

    /// Whether the input starts with a URL scheme and `://`.
    private static func isURL(_ input: String) -> Bool {
        guard let end = input.firstRange(of: "://")?.lowerBound, let first = input.first, first.isASCII, first.isLetter
        else { return false }
        return input[..<end].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    }
}

private struct FFmpegReader: StreamReader, ~Copyable {
    let format: FrameFormat
    /// `nil` once the program has ended. Declared before `child` so that it is released first: a program that blocks in
    /// a write to the pipe does not react to SIGTERM.
    private var frames: NUTReader?
    private let child: ChildProgram
    private let stallLimit: Duration

    init(
        _ input: FFmpegInput, _ options: StreamOptions, _ programs: FFmpegPrograms, _ stop: StopToken
    ) throws(FrameError) {
        if let path = input.path ?? input.device {
            do { try path.checkExists() } catch { throw .file(error) }
        }
        guard let ffmpeg = programs.ffmpeg else { throw .programNotFound("ffmpeg") }
        let stallLimit = options.stallLimit ?? StreamOptions.videoStallLimit
        var video: VideoDescription?
        if let ffprobe = programs.ffprobe {
            video = try Self.describe(input, ffprobe, options.limits, stallLimit, stop)
        }
        let conversion = FFmpegConversion(for: video, forced: options.color)
        let (child, output) = try ChildProgram.start(ffmpeg, Self.arguments(input, video, conversion))
        var options = options
        options.color = conversion.color(overriddenBy: options)
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
        _ input: FFmpegInput, _ ffprobe: FilePath, _ limits: Limits, _ stallLimit: Duration, _ stop: StopToken
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
        guard let size = video.size else { throw .invalidStream("the input has no video stream") }
        do throws(CodecError) { try limits.checkWhole(size) } catch { throw .codec(error) }
        return video
    }

    private static func lines(_ stream: consuming ByteStream, _ stop: StopToken) throws(FrameError) -> [String] {
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
            // Without the input's time base, times are rounded to multiples of the average frame interval.
            + ["-fps_mode", "passthrough", "-enc_time_base", video?.timeBase ?? "1/1000000"]
            + (conversion.colors.map { ["-vf", $0.filter] } ?? [])
            + ["-pix_fmt", conversion.pixelFormat, "-c:v", "rawvideo", "-f", "nut", "pipe:1"]
    }

    mutating func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
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
    /// Waits for a program whose output has ended, and returns its error, if any.
    fileprivate func endError(_ limit: Duration, _ stop: StopToken) -> FrameError? {
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

    /// The error to report when the program's output cannot be read. For truncated output, the program's own reason is
    /// more precise.
    fileprivate func reason(for error: FrameError, _ limit: Duration, _ stop: StopToken) -> FrameError {
        switch error {
        case .truncated, NUTFields.cutHeaders: return endError(limit, stop) ?? error
        default:
            end()
            return error
        }
    }
}
