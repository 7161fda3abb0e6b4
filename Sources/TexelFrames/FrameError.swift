public import SystemPackage
public import TexelCodecs
public import TexelPipeline
public import TexelPixels

/// Why a stream of frames ended before its end.
public enum FrameError: Error, Sendable, Hashable {
    case codec(CodecError)
    case pixels(PixelBufferError)
    case file(FileError)
    /// The caller's own source threw this error.
    case source(CustomError)
    /// The caller's own sink threw this error.
    case sink(CustomError)
    /// What the stream says of itself cannot be.
    case invalidStream(String)
    /// A valid stream that uses something Texel does not read or write.
    case unsupported(String)
    /// The stream ends inside a frame.
    case truncated(frame: Int, bytesRead: Int, bytes: Int)
    /// A frame of another size came where all must have the same.
    case sizeChanged(frame: Int, from: PixelSize, to: PixelSize)
    /// One frame could not be decoded.
    indirect case damagedFrame(index: Int, FrameError)
    /// Another program is needed and not there.
    case programMissing(String)
    /// Another program that gives the frames ended badly.
    case programFailed(String, reason: String)
    /// No byte came for this long.
    case stalled(Duration)
    case cannotRead(Errno)
    case cannotWrite(Errno)
    /// Whoever read the output went away.
    case readerLeft(framesWritten: Int)
    case outOfMemory(byteCount: Int)
    /// Somebody stopped the stream.
    case stopped
}

extension FrameError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .codec(let error): "\(error)"
        case .pixels(let error): "\(error)"
        case .file(let error): "\(error)"
        case .source(let error): "the frame source failed: \(error)"
        case .sink(let error): "the frame sink failed: \(error)"
        case .invalidStream(let reason): reason
        case .unsupported(let feature): "\(feature) is not supported"
        case .truncated(let frame, let bytesRead, let bytes):
            "the stream ends inside frame \(frame): \(bytesRead) of its \(bytes) bytes are there"
        case .sizeChanged(let frame, let from, let to):
            "frame \(frame) is \(to), and the stream began with \(from); all frames must have one size"
        case .damagedFrame(let index, let error): "frame \(index): \(error)"
        case .programMissing(let program):
            "the program \(program) is needed for this input and is not on PATH; install it"
        case .programFailed(let program, let reason): "\(program) failed: \(reason)"
        case .stalled(let duration): "nothing came for \(duration.components.seconds) seconds"
        case .cannotRead(let errno): "the stream cannot be read: \(errno)"
        case .cannotWrite(let errno): "the output cannot be written: \(errno)"
        case .readerLeft(let count):
            "the reader of the output went away after \(count) \(count == 1 ? "frame" : "frames")"
        case .outOfMemory(let byteCount): "the system has no \(byteCount) bytes left"
        case .stopped: "stopped"
        }
    }
}

extension FrameError {
    static func wrapping<Value>(_ body: () throws(CodecError) -> Value) throws(FrameError) -> Value {
        do { return try body() } catch { throw .codec(error) }
    }

    static func wrapping<Value>(_ body: () throws(PixelBufferError) -> Value) throws(FrameError) -> Value {
        do { return try body() } catch { throw .pixels(error) }
    }

    init(_ error: PipelineError) {
        self =
            switch error {
            case .codec(let error): .codec(error)
            case .pixels(let error): .pixels(error)
            case .file(let error): .file(error)
            case .transfer(let error): .invalidStream("\(error)")
            case .source(let error): .source(error)
            case .target(let error): .codec(.cannotEncode("\(error)"))
            case .notLossless: .codec(.cannotEncode("\(error)"))
            case .isolation(let error): .invalidStream("\(error)")
            }
    }
}
