import SystemPackage
import TexelCodecs
import TexelPipeline
public import TexelPixels

/// Opens whatever gives frames, as the command line names it.
public enum FrameSourceOpening {
    /// The source for an argument.
    ///
    /// Decided in this order: a pattern, a directory, a sequence; the layout, where the caller gives one; what the bytes
    /// begin with (PNG, Y4M, NUT, JPEG); else ffmpeg, which is also asked for cameras and URLs.
    ///
    /// - Parameters:
    ///   - argument: a path, `-` for standard input, a camera (`/dev/video0`), a URL, `pattern:1280x720`; or a sequence:
    ///     `frames/%05d.png`, `frames/*.jpg`.
    ///   - layout: of raw samples, which tell nothing of themselves.
    ///   - stop: ends the waiting for a pipe's first bytes.
    /// - Throws: what the sources throw for their headers; `invalidStream` for a pipe that holds none of the above.
    public static func open(
        _ argument: String, layout: SampleLayout? = nil, options: StreamOptions = StreamOptions(),
        programs: FFmpegPrograms = .onPath, stop: FrameStop = FrameStop()
    ) throws(FrameError) -> any FrameSource {
        let rate = options.rate ?? .standard
        if let size = patternSize(argument) { return try PatternSource(size: size, rate: rate) }
        let path = FilePath(argument)
        if path.isDirectory { return try DirectorySource(path, limits: options.limits, stop: stop) }
        if isSequence(argument) { return try ImageSequenceSource(argument, rate: rate, limits: options.limits) }
        if layout == nil, (try? ImageFormat(sniffing: InputReader.head(of: path))) == .png {
            return try AnimatedPNGSource(path, limits: options.limits)
        }
        return try openStream(argument, layout: layout, options: options, programs: programs, stop: stop)
    }

    /// The size of the test pattern that a name asks for; `nil` unless the name is `pattern:WIDTHxHEIGHT`.
    public static func patternSize(_ name: String) -> PixelSize? {
        guard name.hasPrefix(patternPrefix) else { return nil }
        let sides = name.dropFirst(patternPrefix.count).split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0 else {
            return nil
        }
        return PixelSize(width: width, height: height)
    }

    /// What the name of a test pattern begins with.
    public static let patternPrefix = "pattern:"

    /// Whether a name stands for several files.
    private static func isSequence(_ name: String) -> Bool {
        name != "-" && !FilePath(name).exists
            && (NumberedPath(name) != nil || name.contains { "*?[".contains($0) } && !name.contains("://"))
    }

    private static func openStream(
        _ argument: String, layout: SampleLayout?, options: StreamOptions, programs: FFmpegPrograms, stop: FrameStop
    ) throws(FrameError) -> any FrameSource {
        let input = argument == "-" ? StreamInput.standardInput : .file(FilePath(argument))
        if let layout { return try RawVideoSource(input, layout: layout, options: options) }
        let external = FFmpegInput(argument)
        if argument != "-", external.isCamera || external.path == nil {
            return try FFmpegSource(argument, options: options, programs: programs, stop: stop)
        }
        if let path = external.path, argument != "-" {
            do { try path.checkExists() } catch { throw .file(error) }
        }
        var stream = try ByteStream(input, stallLimit: options.stallLimit)
        switch try StreamKind(&stream, stop) {
        case .y4m: return try Y4MSource(stream, options: options, stop: stop)
        case .nut: return try NUTSource(stream, options: options, stop: stop)
        case .jpeg: return try JPEGStreamSource(stream, options: options, stop: stop)
        case nil where stream.bufferedCount == 0: throw .invalidStream("there is nothing in it")
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
