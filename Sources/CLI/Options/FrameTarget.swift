import Texel
import TexelFrames

/// The output that `--output` and `--to` specify together.
enum FrameTarget: Equatable {
    case terminal
    case nothing
    case sharedMemory(FilePath)
    case stream(FrameDestination, FrameStreamFormat)
    case sequence(NumberedPath, ImageFormat)
    /// A file with encoded frames and their times.
    case video(FilePath, VideoContainer)
    /// A file with all frames.
    case animation(FilePath, ImageFormat)
    /// A file with a single image.
    case image(FilePath, ImageFormat)

    /// - Throws: `OptionError` if the options contradict each other or are incomplete.
    init(_ options: FrameOutputOptions, isTerminal: Bool, frameCount: Int?) throws(OptionError) {
        let name = options.output ?? (isTerminal && options.to == nil ? "terminal" : "-")
        switch name {
        case "terminal", "null":
            if let format = options.to {
                throw OptionError("--to \(format) has no effect with --output \(name); leave it out")
            }
            if name == "terminal", !isTerminal {
                throw OptionError("Standard output is not a terminal; name another --output")
            }
            self = name == "null" ? .nothing : .terminal
        case _ where OutputArgument.isStandardOutput(name):
            if isTerminal { try StandardOutputArgument.checkTerminal() }
            self = .stream(.standardOutput, try Self.streamFormat(options.to, for: name) ?? .y4m)
        case _ where name.hasPrefix("shm:"):
            let path = FilePath(String(name.dropFirst(4)))
            if path.isEmpty { throw OptionError("--output shm: requires the path of a socket") }
            if let format = options.to, format != .stream(.bgra) {
                throw OptionError("Shared memory is always BGRA; leave out --to \(format)")
            }
            self = .sharedMemory(path)
        default:
            if let names = NumberedPath(name) {
                self = .sequence(names, try Self.imageFormat(options.to, for: name))
            } else {
                self = try Self.file(name, options, frameCount)
            }
        }
        if let subsampling = options.subsampling, subsampling.ofImages == nil,
            imageFormat?.capabilities.subsamplesChroma ?? false
        {
            throw OptionError("--subsampling \(subsampling.rawValue) is for Y4M only")
        }
    }

    /// The format of the images that frames become; `nil` if they stay samples.
    private var imageFormat: ImageFormat? {
        switch self {
        case .stream(_, let format): format == .mjpeg ? .jpeg : nil
        case .sequence(_, let format), .animation(_, let format), .image(_, let format): format
        case .terminal, .nothing, .sharedMemory, .video: nil
        }
    }

    /// Refuses options of the output that have no effect on this one.
    ///
    /// - Parameter usesBackground: whether an operation can uncover pixels.
    func checkUnused(_ options: FrameOutputOptions, usesBackground: Bool) throws(OptionError) {
        let capabilities = imageFormat?.capabilities
        var subsamples = capabilities?.subsamplesChroma ?? false
        // Whether the frames keep their transparency.
        var hasAlpha = capabilities?.hasAlpha ?? true
        var isFile = true
        var storesNoTimes = false
        var (isVideo, isAnimation) = (false, false)
        switch self {
        case .stream(let destination, let format):
            storesNoTimes = true
            if format == .y4m { subsamples = true }
            hasAlpha = [.bgra, .rgba].contains(format)
            isFile = destination != .standardOutput
        case .terminal, .nothing, .sharedMemory: isFile = false
        case .video: (hasAlpha, isVideo) = (false, true)
        case .animation: isAnimation = true
        case .sequence, .image: break
        }
        let unused = [
            ("quality", options.quality != nil && capabilities?.isLossy != true && !isVideo),
            ("lossless", options.lossless && imageFormat?.hasLosslessEncoding != true),
            ("effort", options.effort != nil && !isAnimation),
            ("plays", options.plays != nil && !isAnimation),
            ("to-rate", options.toRate != nil && !storesNoTimes),
            ("subsampling", options.subsampling != nil && !subsamples),
            ("background", options.background != nil && hasAlpha && !usesBackground),
            ("overwrite", options.overwrite && !isFile),
        ]
        if let (name, _) = unused.first(where: \.1) {
            throw OptionError("--\(name) has no effect on the output \(description)")
        }
    }

    /// Whether the output is one file, which appears when the stream has ended.
    var isFile: Bool {
        switch self {
        case .stream(.file(let path, _), _): !path.isDeviceOrPipe
        case .animation, .video: true
        default: false
        }
    }

    /// The output, for messages.
    private var description: String {
        switch self {
        case .terminal: "terminal"
        case .nothing: "null"
        case .sharedMemory: "in shared memory"
        case .stream(.file(let path, _), let format): "\(path) (\(format.rawValue))"
        case .stream(.standardOutput, let format), .stream(.descriptor, let format): "- (\(format.rawValue))"
        case .sequence(let names, let format): "\(names.path(1)) (\(format.displayName))"
        case .video(let path, let container): "\(path) (\(container.rawValue))"
        case .animation(let path, let format), .image(let path, let format): "\(path) (\(format.displayName))"
        }
    }

    private static func file(
        _ name: String, _ options: FrameOutputOptions, _ frameCount: Int?
    ) throws(OptionError) -> FrameTarget {
        let path = FilePath(name)
        let promised = path.extension.flatMap { FrameFormatArgument(fileExtension: $0) }
        let destination = FrameDestination.file(path, replaces: options.overwrite)
        if path.isDeviceOrPipe {
            return .stream(destination, try streamFormat(options.to, for: name) ?? .y4m)
        }
        guard let format = options.to ?? promised else {
            throw OptionError("Unknown format of --output \(name); use the extension .y4m, or --to")
        }
        if case .video(let container) = format { return .video(path, container) }
        if case .image = promised {
            let format = try imageFormat(options.to, for: name)
            if frameCount == 1 { return .image(path, format) }
            guard format.capabilities.writesAnimations else {
                throw OptionError(
                    """
                    --output \(name) is a single image; use a numbered name such as \
                    \(path.stem ?? "out")-%05d.\(path.extension ?? "png"), an animation such as \
                    \(path.stem ?? "out").webp, or --frames 1
                    """)
            }
            return .animation(path, format)
        }
        return .stream(destination, try streamFormat(format, for: name) ?? .y4m)
    }

    private static func streamFormat(
        _ format: FrameFormatArgument?, for name: String
    ) throws(OptionError) -> FrameStreamFormat? {
        switch format {
        case .stream(let format): return format
        case .video(let container): throw OptionError("\(container.rawValue) requires a file, not \(name)")
        // A stream of JPEGs is Motion JPEG.
        case .image(.jpeg): return .mjpeg
        case .image(let format):
            let example = "out/%05d.\(format.fileExtension)"
            throw OptionError("\(format.displayName) frames require numbered files such as \(example)")
        case nil: return nil
        }
    }

    /// The format of `--to`, or else of the name's extension.
    private static func imageFormat(_ format: FrameFormatArgument?, for name: String) throws(OptionError) -> ImageFormat
    {
        let promised = FilePath(name).extension.flatMap { ImageFormat(fileExtension: $0) }
        switch format {
        case .stream(.mjpeg): return .jpeg
        case .image(let format): return format
        case .video(let container):
            throw OptionError("--to \(container.rawValue) is a video, but --output \(name) is images")
        case nil:
            guard let promised, promised.capabilities.writes else {
                throw OptionError("Unknown format of --output \(name); use an extension such as .png or .jpg, or --to")
            }
            return promised
        case .stream(let other)?:
            let names = CodecRegistry.shared.writableFormats.map(\.rawValue).joined(separator: " or ")
            throw OptionError("--to \(other.rawValue) is a stream format, but --output \(name) is images; use \(names)")
        }
    }
}

extension ImageFormat {
    /// Whether images can be written without loss, or are refused.
    fileprivate var hasLosslessEncoding: Bool {
        encoding(EncodingSettings(isLossless: true)).map { !$0.options.isLossy } ?? false
    }
}
