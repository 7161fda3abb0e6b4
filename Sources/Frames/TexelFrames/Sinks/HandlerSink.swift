import TexelCore
import TexelPipeline

/// Calls a function for each frame.
///
///     let sink = HandlerSink { frame in print(frame.index, frame.time) }
public final class HandlerSink: FrameSink {
    /// Whether late frames are dropped rather than waited for.
    public let isLive: Bool
    /// The maximum number of frames that the function keeps.
    public let framesKept: Int
    private let handle: @Sendable (borrowing Frame) throws(TexelError) -> Void

    /// Creates a sink from a function.
    ///
    /// - Parameters:
    ///   - isLive: Whether late frames are dropped rather than waited for.
    ///   - framesKept: The maximum number of frames that the function keeps with ``Frame/shared()``.
    ///   - handle: Called on the pipeline's threads, for one frame at a time and in order. An error that it throws ends
    ///     the stream; one that is not a `TexelError` is reported as `TexelError.sink`.
    public init(
        isLive: Bool = false, framesKept: Int = 0, _ handle: @escaping @Sendable (borrowing Frame) throws -> Void
    ) {
        self.isLive = isLive
        self.framesKept = framesKept
        self.handle = { frame throws(TexelError) in
            do { try handle(frame) } catch let error as TexelError { throw error } catch {
                throw .sink(error)
            }
        }
    }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(handle) }

    private final class Writer: FrameWriter {
        let handle: @Sendable (borrowing Frame) throws(TexelError) -> Void

        init(_ handle: @escaping @Sendable (borrowing Frame) throws(TexelError) -> Void) { self.handle = handle }

        func write(_ frame: borrowing Frame) throws(TexelError) { try handle(frame) }
    }
}
