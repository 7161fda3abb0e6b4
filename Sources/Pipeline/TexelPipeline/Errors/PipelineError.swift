import SystemPackage
public import TexelCodecs
public import TexelPixels

/// The error of one image's processing.
public enum PipelineError: Error, Sendable, Hashable {
    /// Reading, decoding or encoding failed, or the work was stopped.
    case codec(CodecError)
    /// An operation on pixels failed.
    case pixels(PixelBufferError)
    /// A file could not be read or written.
    case file(FileError)
    /// An input's bytes could not be loaded.
    case transfer(TransferError)
    /// The caller's own source or stream threw this error.
    case source(CustomError)
    /// No encoding meets the recipe's ``EncodingTarget``.
    case target(TargetError)
    /// The recipe allows no loss, but the result cannot be made without it; the text gives the reason.
    case notLossless(String)
    /// A child process failed, or could not be started.
    case isolation(IsolationError)
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
        case .notLossless(let reason): "cannot be done without loss: \(reason)"
        case .isolation(let error): "\(error)"
        }
    }
}

extension PipelineError {
    /// Whether the work was stopped, so that it says nothing about the input.
    var isStop: Bool { if case .codec(.stopped) = self { true } else { false } }

    /// Makes the error for an input that could not be opened. If the path is a URL, the error says how to load it.
    static func unreadable(_ path: FilePath, _ reason: Errno) -> PipelineError {
        let error = FileError(path, unreadable: reason)
        if case .missing = error, let address = path.address { return .transfer(.unsupportedURL(address)) }
        return .file(error)
    }

    /// Rethrows a codec error as ``codec(_:)``.
    package static func wrapping<Value>(_ body: () throws(CodecError) -> Value) throws(PipelineError) -> Value {
        do { return try body() } catch { throw .codec(error) }
    }

    /// Rethrows a pixel buffer error as ``pixels(_:)``.
    package static func wrapping<Value>(_ body: () throws(PixelBufferError) -> Value) throws(PipelineError) -> Value {
        do { return try body() } catch { throw .pixels(error) }
    }
}

extension FilePath {
    /// The URL that was written as a path, such as `https://example.org/photo.jpg`; `nil` for other paths.
    ///
    /// `FilePath` has collapsed the two slashes after the scheme into one.
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

    /// Whether a character may be part of a scheme (RFC 3986, 3.1).
    private static func isInScheme(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
