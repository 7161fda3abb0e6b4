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
    case image(FilePath, ImageFormat)

    /// - Throws: `ValidationError` if the options contradict each other or are incomplete.
    init(_ options: FrameOutputOptions, isTerminal: Bool, frameCount: Int?) throws {
        let name = options.output ?? (isTerminal && options.to == nil ? "terminal" : "-")
        switch name {
        case "terminal", "null":
            if let format = options.to {
                throw ValidationError("--to \(format) has no effect with --output \(name); leave it out.")
            }
            if name == "terminal", !isTerminal {
                throw ValidationError("Standard output is not a terminal; name another --output.")
            }
            self = name == "null" ? .nothing : .terminal
        case "-":
            if isTerminal { try StandardOutputArgument.checkTerminal() }
            self = .stream(.standardOutput, try Self.streamFormat(options.to, for: name) ?? .y4m)
        case _ where name.hasPrefix("shm:"):
            let path = FilePath(String(name.dropFirst(4)))
            if path.isEmpty { throw ValidationError("--output shm: requires the path of a socket.") }
            if let format = options.to, format != .bgra {
                throw ValidationError("Shared memory is always BGRA; leave out --to \(format).")
            }
            self = .sharedMemory(path)
        default:
            if let names = NumberedPath(name) {
                self = .sequence(names, try Self.imageFormat(options.to, for: name))
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
        case .sequence(_, let format), .image(_, let format): format == .jpeg
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
            throw ValidationError("Unknown format of --output \(name); use the extension .y4m, or --to.")
        }
        if promised == .jpeg || promised == .png {
            guard frameCount == 1 else {
                throw ValidationError(
                    "--output \(name) is a single image; use a numbered name such as "
                        + "\(path.stem ?? "out")-%05d.\(path.extension ?? "png"), or --frames 1.")
            }
            return .image(path, try imageFormat(options.to, for: name))
        }
        return .stream(destination, try streamFormat(format, for: name) ?? .y4m)
    }

    private static func streamFormat(_ format: FrameFormatArgument?, for name: String) throws -> FrameFormatArgument? {
        switch format {
        case .jpeg: .mjpeg
        case .png:
            throw ValidationError("PNG frames require numbered files such as out/%05d.png.")
        default: format
        }
    }

    /// The format of `--to`, or else of the name's extension.
    private static func imageFormat(_ format: FrameFormatArgument?, for name: String) throws -> ImageFormat {
        let promised = FilePath(name).extension.flatMap { ImageFormat(fileExtension: $0) }
        switch format {
        case .jpeg, .mjpeg: return .jpeg
        case .png: return .png
        case nil:
            guard let promised else {
                throw ValidationError("Unknown format of --output \(name); use the extension .png or .jpg, or --to.")
            }
            return promised
        case let other?:
            throw ValidationError("--to \(other) is a stream format, but --output \(name) is images; use jpeg or png.")
        }
    }
}
