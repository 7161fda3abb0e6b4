public import SystemPackage
public import TexelCodecs
public import TexelPixels

/// Why one picture could not be done.
public enum PipelineError: Error, Sendable, Hashable {
    case codec(CodecError)
    case pixels(PixelBufferError)
    case file(FileError)
}

/// What went wrong with a file, apart from what is in it.
public enum FileError: Error, Sendable, Hashable {
    case missing(FilePath)
    case isDirectory(FilePath)
    case cannotRead(FilePath, Errno)
    /// The output is there already.
    case alreadyExists(FilePath)
    /// The output is the input, and nobody asked for that.
    case isInput(FilePath)
    case cannotCreate(FilePath, Errno)
    /// Writing began and failed; nothing is left of it.
    case cannotWrite(FilePath, Errno)
}

extension PipelineError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .codec(let error): "\(error)"
        case .pixels(let error): "\(error)"
        case .file(let error): "\(error)"
        }
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing: "there is no such file"
        case .isDirectory: "it is a directory; add -r to do everything in it"
        case .cannotRead(_, let errno): "it cannot be read: \(errno)"
        case .alreadyExists(let path): "the output \(path) is there already; replace it with --overwrite"
        case .isInput: "the output is the input itself; replace it with --in-place"
        case .cannotCreate(let path, let errno): "the output \(path) cannot be created: \(errno)"
        case .cannotWrite(let path, let errno): "the output \(path) cannot be written: \(errno)"
        }
    }
}
