import ArgumentParser
import Texel
import TexelFrames

/// The output that `--output` and `--to` specify together.
enum FrameTarget: Equatable {
    case terminal
    case nothing
    case sharedMemory(FilePath)
    case stream(FrameDestination, FrameFormatArgument)
    case sequence(NumberedPath, ImageFormat)
    /// A file with a single image.
    case picture(FilePath, ImageFormat)

    /// - Throws: `ValidationError` if the options contradict each other or are incomplete.
    init(_ options: FrameOutputOptions, isTerminal: Bool, frameCount: Int?) throws {
        let name = options.output ?? (isTerminal && options.to == nil ? "terminal" : "-")
        switch name {
        case "terminal", "null":
            if let format = options.to {
                throw ValidationError("--output \(name) has no format: leave --to \(format) away.")
            }
            if name == "terminal", !isTerminal {
                throw ValidationError("Standard output is no terminal: name another --output.")
            }
            self = name == "null" ? .nothing : .terminal
        case "-":
            if isTerminal { try StandardOutputArgument.checkTerminal() }
            self = .stream(.standardOutput, try Self.streamFormat(options.to, for: name) ?? .y4m)
        case _ where name.hasPrefix("shm:"):
            let path = FilePath(String(name.dropFirst(4)))
            if path.isEmpty { throw ValidationError("--output shm: lacks the socket's path.") }
            if let format = options.to, format != .bgra {
                throw ValidationError("Shared memory holds BGRA: leave --to \(format) away.")
            }
            self = .sharedMemory(path)
        default:
            if let names = NumberedPath(name) {
                self = .sequence(names, try Self.pictureFormat(options.to, for: name))
            } else {
                self = try Self.file(name, options, frameCount)
            }
        }
        if options.subsampling.ofJPEG == nil, isJPEG {
            throw ValidationError("--subsampling \(options.subsampling.rawValue) is for Y4M only.")
        }
    }

    private var isJPEG: Bool {
        switch self {
        case .stream(_, let format): format == .mjpeg
        case .sequence(_, let format), .picture(_, let format): format == .jpeg
        case .terminal, .nothing, .sharedMemory: false
        }
    }

    private static func file(_ name: String, _ options: FrameOutputOptions, _ frameCount: Int?) throws -> FrameTarget {
        let path = FilePath(name)
        let promised = path.extension.flatMap { FrameFormatArgument(fileExtension: $0) }
        let destination = FrameDestination.file(path, replaces: options.overwrite)
        if path.isDeviceOrPipe {
            return .stream(destination, try streamFormat(options.to, for: name) ?? .y4m)
        }
        guard let format = options.to ?? promised else {
            throw ValidationError("--output \(name) does not tell a format: name it .y4m, or use --to.")
        }
        if promised == .jpeg || promised == .png {
            guard frameCount == 1 else {
                throw ValidationError(
                    "--output \(name) holds one picture: name pictures with a number, as in "
                        + "\(path.stem ?? "out")-%05d.\(path.extension ?? "png"), or take one with --frames 1.")
            }
            return .picture(path, try pictureFormat(options.to, for: name))
        }
        return .stream(destination, try streamFormat(format, for: name) ?? .y4m)
    }

    private static func streamFormat(_ format: FrameFormatArgument?, for name: String) throws -> FrameFormatArgument? {
        switch format {
        case .jpeg: .mjpeg
        case .png:
            throw ValidationError("PNGs go into files of their own: name them with a number, as in out/%05d.png.")
        default: format
        }
    }

    /// The format of `--to`, or else of the name's extension.
    private static func pictureFormat(_ format: FrameFormatArgument?, for name: String) throws -> ImageFormat {
        let promised = FilePath(name).extension.flatMap { ImageFormat(fileExtension: $0) }
        switch format {
        case .jpeg, .mjpeg: return .jpeg
        case .png: return .png
        case nil:
            guard let promised else {
                throw ValidationError("--output \(name) does not tell a format: name it .png or .jpg, or use --to.")
            }
            return promised
        case let other?:
            throw ValidationError("--to \(other) is a stream, and --output \(name) names pictures: use jpeg or png.")
        }
    }
}
