import TexelPipeline

/// Gives each frame to a function.
///
///     let sink = HandlerSink { frame in print(frame.index, frame.time) }
public final class HandlerSink: FrameSink {
    public let isLive: Bool
    public let framesKept: Int
    private let handle: @Sendable (borrowing Frame) throws(FrameError) -> Void

    /// - Parameters:
    ///   - isLive: whether late frames are better dropped than waited for.
    ///   - framesKept: how many frames the function keeps, at most, as ``Frame/shared()``.
    ///   - handle: called for one frame at a time, in their order, by the pipeline's threads. What it throws ends the
    ///     stream; an error that is not a `FrameError` as ``FrameError/sink(_:)``.
    public init(
        isLive: Bool = false, framesKept: Int = 0, _ handle: @escaping @Sendable (borrowing Frame) throws -> Void
    ) {
        self.isLive = isLive
        self.framesKept = framesKept
        self.handle = { frame throws(FrameError) in
            do { try handle(frame) } catch let error as FrameError { throw error } catch {
                throw .sink(CustomError(error))
            }
        }
    }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(handle) }

    private final class Writer: FrameWriter {
        let handle: @Sendable (borrowing Frame) throws(FrameError) -> Void

        init(_ handle: @escaping @Sendable (borrowing Frame) throws(FrameError) -> Void) { self.handle = handle }

        func write(_ frame: borrowing Frame) throws(FrameError) { try handle(frame) }
    }
}
