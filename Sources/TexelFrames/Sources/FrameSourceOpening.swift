import SystemPackage
import TexelPixels

/// Opens whatever gives frames, as the command line names it.
public enum FrameSourceOpening {
    /// The source for an argument.
    ///
    /// Decided in this order: the layout, where the caller gives one; what the bytes begin with (Y4M, NUT, JPEG); else
    /// ffmpeg, which is also asked for cameras and URLs.
    ///
    /// - Parameters:
    ///   - argument: a path, `-` for standard input, a camera (`/dev/video0`) or a URL.
    ///   - layout: of raw samples, which tell nothing of themselves.
    ///   - stop: ends the waiting for a pipe's first bytes.
    /// - Throws: what the sources throw for their headers; `invalidStream` for a pipe that holds none of the above.
    public static func open(
        _ argument: String, layout: SampleLayout? = nil, options: StreamOptions = StreamOptions(),
        programs: FFmpegPrograms = .onPath, stop: FrameStop = FrameStop()
    ) throws(FrameError) -> any FrameSource {
        let input = argument == "-" ? StreamInput.standardInput : .file(FilePath(argument))
        if let layout { return try RawVideoSource(input, layout: layout, options: options) }
        let external = FFmpegInput(argument)
        if argument != "-", external.isCamera || external.path == nil {
            return try FFmpegSource(argument, options: options, programs: programs, stop: stop)
        }
        var stream = try ByteStream(input, stallLimit: options.stallLimit)
        switch try StreamKind(&stream, stop) {
        case .y4m: return try Y4MSource(stream, options: options, stop: stop)
        case .nut: return try NUTSource(stream, options: options, stop: stop)
        case .jpeg: return try JPEGStreamSource(stream, options: options, stop: stop)
        case nil:
            // Another program cannot look at what was read of a pipe.
            guard stream.file != nil, argument != "-" else {
                let advice = "let ffmpeg write one: ffmpeg -i … -f nut -c:v rawvideo -"
                throw .invalidStream("the stream is none of Y4M, NUT and JPEG; \(advice)")
            }
            return try FFmpegSource(argument, options: options, programs: programs, stop: stop)
        }
    }
}

/// Which of the streams that Texel reads by itself begins so.
enum StreamKind {
    case y4m
    case nut
    case jpeg

    /// Looks at the first bytes, and takes none.
    ///
    /// - Throws: `stalled`, `stopped`, `cannotRead`.
    init?(_ stream: inout ByteStream, _ stop: FrameStop) throws(FrameError) {
        // No more than it takes to tell: a pipe may give only a small picture at first.
        guard try stream.buffer(3, stop) else { return nil }
        if stream.byte(0) == 0xFF, stream.byte(1) == 0xD8, stream.byte(2) == 0xFF {
            self = .jpeg
        } else if stream.hasPrefix("YUV"), try stream.buffer(9, stop), stream.hasPrefix("YUV4MPEG2") {
            self = .y4m
        } else if stream.hasPrefix("nut"), try stream.buffer(25, stop), stream.hasPrefix(NUTSource.magic) {
            self = .nut
        } else {
            return nil
        }
    }
}
