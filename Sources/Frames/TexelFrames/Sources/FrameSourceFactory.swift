public import SystemPackage
import TexelCodecs
public import TexelCore
import TexelFormats
import TexelPipeline
public import TexelPixels

/// Chooses and opens the source for a command-line argument.
public enum FrameSourceFactory {
    /// Opens the source for an argument.
    ///
    /// Checked in this order: a test pattern, a directory, a file sequence; the raw layout, if the caller gives one;
    /// the first bytes (a format of animations or pages, Y4M, JPEG). Everything else, including cameras and URLs, is
    /// read through FFmpeg's libraries (``VideoSource``), with the package trait `Video`.
    ///
    /// - Parameters:
    ///   - argument: A path, `-` for standard input, a camera (`/dev/video0`), a URL, `pattern:1280x720`, or a
    ///     sequence: `frames/%05d.png`, `frames/*.jpg`.
    ///   - layout: The layout of raw samples, which have no header.
    ///   - options: Settings that override what the stream says, and limits.
    ///   - stop: Ends the wait for the first bytes of a pipe.
    /// - Throws: The errors of the source's initialiser; `invalidStream` for a pipe in an unknown format.
    public static func open(
        _ argument: String, layout: SampleLayout? = nil, options: StreamOptions = StreamOptions(),
        stop: StopToken = StopToken()
    ) throws(TexelError) -> any FrameSource {
        let rate = options.rate ?? .standard
        if let size = patternSize(argument) { return try PatternSource(size: size, rate: rate) }
        let path = FilePath(argument)
        if path.isDirectory { return try DirectorySource(path, limits: options.limits, stop: stop) }
        if isSequence(argument) {
            return try ImageSequenceSource(
                argument, rate: rate, firstNumber: options.firstNumber, limits: options.limits)
        }
        if layout == nil, let format = try? ImageFormat(sniffing: InputReader.head(of: path)) {
            let capabilities = format.capabilities
            if capabilities.readsAnimations { return try AnimationSource(path, limits: options.limits) }
            if capabilities.readsPages { return try PageSource(path, rate: rate, limits: options.limits) }
        }
        return try openStream(argument, layout: layout, options: options, stop: stop)
    }

    /// The files that the source of an argument reads, as far as they exist now: no sink should replace them.
    public static func files(of argument: String) -> [FilePath] {
        let path = FilePath(argument)
        if path.isDirectory { return ((try? DirectoryEntry.list(path)) ?? []).map { path.appending($0.name) } }
        return isSequence(argument) ? ImageSequenceSource.paths(argument) : path.exists ? [path] : []
    }

    /// Parses the size in `pattern:WIDTHxHEIGHT`; `nil` for any other name.
    public static func patternSize(_ name: String) -> PixelSize? {
        guard name.hasPrefix(patternPrefix) else { return nil }
        let sides = name.dropFirst(patternPrefix.count).split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0 else {
            return nil
        }
        return PixelSize(width: width, height: height)
    }

    /// The prefix of test pattern names.
    public static let patternPrefix = "pattern:"

    /// Whether a name describes several files.
    private static func isSequence(_ name: String) -> Bool {
        name != "-" && !FilePath(name).exists
            && (NumberedPath(name) != nil || name.contains { "*?[".contains($0) } && !name.contains("://"))
    }

    private static func openStream(
        _ argument: String, layout: SampleLayout?, options: StreamOptions, stop: StopToken
    ) throws(TexelError) -> any FrameSource {
        let isStandardInput = argument == "-"
        let input = isStandardInput ? StreamInput.standardInput : .file(FilePath(argument))
        if let layout { return try RawVideoSource(input, layout: layout, options: options) }
        let address = VideoAddress(argument)
        guard isStandardInput || address.path != nil else { return try openVideo(argument, options, stop) }
        let path = isStandardInput ? nil : address.path
        if let path { try path.checkExists() }
        var stream = try ByteStream(path.map { .file($0) } ?? input, stallLimit: options.stallLimit)
        switch try StreamKind(&stream, stop) {
        case .y4m where try Y4MSource.reads(&stream, stop):
            return try Y4MSource(stream, options: options, stop: stop)
        case .jpeg: return try JPEGStreamSource(stream, options: options, stop: stop)
        case nil where stream.bufferedCount == 0: throw .invalidStream("the input is empty")
        case .y4m, nil: return try openVideo(stream, name: path?.lastComponent?.string, options, stop)
        }
    }

    private static func openVideo(
        _ argument: String, _ options: StreamOptions, _ stop: StopToken
    ) throws(TexelError) -> any FrameSource {
        #if Video
            return try VideoSource(argument, options: options, stop: stop)
        #else
            throw withoutVideos
        #endif
    }

    private static func openVideo(
        _ stream: consuming ByteStream, name: String?, _ options: StreamOptions, _ stop: StopToken
    ) throws(TexelError) -> any FrameSource {
        #if Video
            return try VideoSource(stream, name: name, options: options, stop: stop)
        #else
            throw withoutVideos
        #endif
    }

    #if !Video
        private static var withoutVideos: TexelError {
            .unsupported("a video other than Y4M and JPEGs, in a build without the package trait Video,")
        }
    #endif
}

/// The stream formats that Texel reads itself.
enum StreamKind {
    case y4m
    case jpeg

    /// Recognises the format from the first bytes without consuming them; `nil` if it is unknown.
    ///
    /// - Throws: `stalled`, `stopped`, `streamFailed`.
    init?(_ stream: inout ByteStream, _ stop: StopToken) throws(TexelError) {
        // Read no more bytes than needed: a pipe may provide only one small image at first.
        guard try stream.buffer(3, stop) else { return nil }
        if stream.byte(0) == 0xFF, stream.byte(1) == 0xD8, stream.byte(2) == 0xFF {
            self = .jpeg
        } else if stream.hasPrefix("YUV"), try stream.buffer(9, stop), stream.hasPrefix("YUV4MPEG2") {
            self = .y4m
        } else {
            return nil
        }
    }
}
