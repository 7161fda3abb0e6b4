public import SystemPackage
public import TexelCodecs
public import TexelPixels

/// Why one picture could not be done.
public enum PipelineError: Error, Sendable, Hashable {
    case codec(CodecError)
    case pixels(PixelBufferError)
    case file(FileError)
    case transfer(TransferError)
    /// The caller's own source or stream threw this error.
    case source(CustomError)
    case target(TargetError)
    /// The recipe allows no loss, and this needs some; says why.
    case notLossless(String)
    case isolation(IsolationError)
}

/// What went wrong with a file, apart from what is in it.
public enum FileError: Error, Sendable, Hashable {
    case missing(FilePath)
    case isDirectory(FilePath)
    case cannotRead(FilePath, Errno)
    /// A directory that was searched holds no image.
    case holdsNoImages(FilePath)
    /// The output is there already.
    case alreadyExists(FilePath)
    /// The output is an input, and nobody asked for that.
    case isInput(FilePath)
    /// Another input of the same call has this output.
    case takenByAnother(FilePath)
    /// The output's extension promises a format that Texel does not write, and none was asked for.
    case cannotWriteFormat(FilePath)
    /// The output would lie outside of the folder that was named for all outputs.
    case leavesFolder(FilePath, FilePath)
    /// A link is in the way of an output, in a place that nobody named himself.
    case isLink(FilePath)
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
        case .transfer(let error): "\(error)"
        case .source(let error): "the source failed: \(error)"
        case .target(let error): "\(error)"
        case .notLossless(let reason): "it cannot be done without loss: \(reason)"
        case .isolation(let error): "\(error)"
        }
    }
}

extension FileError {
    /// The error of an input that the system does not open.
    package init(_ path: FilePath, unreadable reason: Errno) {
        // Something above the path may be a file; if it is the path itself, it is there.
        let isMissing = reason == .noSuchFileOrDirectory || reason == .notDirectory && !path.exists
        self = isMissing ? .missing(path) : .cannotRead(path, reason)
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let path): "there is no file \(path)"
        case .isDirectory(let path): "\(path) is a directory"
        case .cannotRead(let path, let errno): "\(path) cannot be read: \(errno)"
        case .holdsNoImages(let path): "there are no images in \(path)"
        case .alreadyExists(let path): "the output \(path) exists already"
        case .isInput(let path): "the output \(path) is an input"
        case .takenByAnother(let path): "the output \(path) belongs to another input; name one for each"
        case .cannotWriteFormat(let path):
            "the output \(path) would have a format that Texel does not write"
        case .leavesFolder(let path, let folder):
            "the output \(path) would lie outside of \(folder.isEmpty ? "." : folder); name a folder that holds it"
        case .isLink(let path): "\(path) is a link, and nothing is written through it; name what it leads to"
        case .cannotCreate(let path, let errno): "the output \(path) cannot be created: \(errno)"
        case .cannotWrite(let path, let errno): "the output \(path) cannot be written: \(errno)"
        }
    }
}

extension PipelineError {
    /// The error of an input that the system does not open. An address is not a path: its error says what loads it.
    static func unreadable(_ path: FilePath, _ reason: Errno) -> PipelineError {
        let error = FileError(path, unreadable: reason)
        if case .missing = error, let address = path.address { return .transfer(.unsupportedAddress(address)) }
        return .file(error)
    }

    package static func wrapping<Value>(_ body: () throws(CodecError) -> Value) throws(PipelineError) -> Value {
        do { return try body() } catch { throw .codec(error) }
    }

    package static func wrapping<Value>(_ body: () throws(PixelBufferError) -> Value) throws(PipelineError) -> Value {
        do { return try body() } catch { throw .pixels(error) }
    }
}

extension FilePath {
    /// The address that was written as a path, such as `https://example.org/photo.jpg`; `nil` for other paths.
    ///
    /// A path keeps one of the two slashes after the scheme.
    fileprivate var address: String? {
        guard isRelative, components.count > 1, let first = components.first?.string, first.last == ":" else {
            return nil
        }
        let scheme = first.dropLast()
        guard scheme.count > 1, scheme.utf8.allSatisfy(Self.isInScheme) else { return nil }
        return "\(first)//\(removingFirstComponent)"
    }

    private var removingFirstComponent: FilePath {
        var rest = self
        rest.components.removeFirst()
        return rest
    }

    /// The characters of a scheme (RFC 3986, 3.1).
    private static func isInScheme(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
