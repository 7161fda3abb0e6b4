public import SystemPackage
public import TexelCodecs
public import TexelPipeline
public import TexelPixels

/// Why a stream of frames failed.
public enum FrameError: Error, Sendable, Hashable {
    /// A frame cannot be decoded or encoded, or exceeds a limit.
    case codec(CodecError)
    /// A pixel buffer cannot be created.
    case pixels(PixelBufferError)
    /// A file is missing or cannot be read or written.
    case file(FileError)
    /// A numbered sequence of images has no file of this name, but goes on with another one.
    case missingImage(FilePath, next: FilePath)
    /// The caller's own source threw this error.
    case source(CustomError)
    /// The caller's own sink threw this error.
    case sink(CustomError)
    /// The stream's headers contradict themselves or the format.
    case invalidStream(String)
    /// The stream is valid but uses a feature that Texel does not support.
    case unsupported(String)
    /// The stream ends inside a frame.
    case truncated(frame: Int, bytesRead: Int, bytes: Int)
    /// A frame has another size than the first, where all must have one size.
    case sizeChanged(frame: Int, from: PixelSize, to: PixelSize)
    /// One frame could not be decoded.
    indirect case damagedFrame(index: Int, FrameError)
    /// The stream is damaged, more than the strictness allows.
    case damagedStream(StreamFaults)
    /// A frame by its number, from 0, does not exist.
    case missingFrame(Int)
    /// No input arrived for this long.
    case stalled(Duration)
    /// Reading the stream failed.
    case cannotRead(Errno)
    /// Writing the output failed.
    case cannotWrite(Errno)
    /// The reader of the output closed it.
    case outputClosed(framesWritten: Int)
    /// A buffer of this many bytes cannot be allocated.
    case outOfMemory(byteCount: Int)
    /// The stream was stopped by a `StopToken`.
    case stopped
}

extension FrameError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .codec(let error): "\(error)"
        case .pixels(let error): "\(error)"
        case .file(let error): "\(error)"
        case .missingImage(let path, let next): "\(path) is missing, although the sequence goes on with \(next)"
        case .source(let error): "the frame source failed: \(error)"
        case .sink(let error): "the frame sink failed: \(error)"
        case .invalidStream(let reason): reason
        case .unsupported(let feature): "\(feature) is not supported"
        case .truncated(let frame, let bytesRead, let bytes):
            "the stream ends inside frame \(frame), after \(bytesRead) of its \(bytes) bytes"
        case .sizeChanged(let frame, let from, let to):
            "frame \(frame) is \(to), but the first frame is \(from); all frames must have the same size"
        case .damagedFrame(let index, let error): "frame \(index): \(error)"
        case .damagedStream(let faults): "\(faults)"
        case .missingFrame(let number): "frame \(number) does not exist; the stream has fewer frames"
        case .stalled(let duration): "no input arrived for \(duration.components.seconds) seconds"
        case .cannotRead(let errno): "the stream cannot be read: \(errno)"
        case .cannotWrite(let errno): "the output cannot be written: \(errno)"
        case .outputClosed(let count):
            "the reader closed the output after \(count) \(count == 1 ? "frame" : "frames")"
        case .outOfMemory(let byteCount): "cannot allocate \(byteCount) bytes"
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
