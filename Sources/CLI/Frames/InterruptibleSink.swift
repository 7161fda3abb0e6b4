import Texel
import TexelFrames

/// A sink that discards its file if the stream was interrupted, so that a partial video is never taken for a complete
/// one.
final class InterruptibleSink: FrameSink {
    let sink: any FrameSink
    private let mayFinish: @Sendable () -> Bool

    /// - Parameter mayFinish: called at the end; whether the output may be completed.
    init(_ sink: any FrameSink, mayFinish: @escaping @Sendable () -> Bool) {
        self.sink = sink
        self.mayFinish = mayFinish
    }

    var isLive: Bool { sink.isLive }
    var isEncoder: Bool { sink.isEncoder }
    var needsConstantRate: Bool { sink.needsConstantRate }
    var framesKept: Int { sink.framesKept }

    func makePool(for stream: FrameStream, capacity: Int) throws(TexelError) -> FramePool {
        try sink.makePool(for: stream, capacity: capacity)
    }

    func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter { try sink.makeWriter(for: stream) }

    func finish() throws(TexelError) { if mayFinish() { try sink.finish() } }

    /// Removes unfinished output. Called explicitly, because the program may end before the sink is deinitialised.
    func abandon() {
        // Restores the terminal's cursor, or removes the socket of shared memory.
        if sink.isLive { try? sink.finish() }
        AtomicFile.removeUnfinished()
    }
}
