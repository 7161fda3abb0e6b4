import Texel
import TexelFrames

/// A sink whose file does not take its place when the stream was interrupted: half a film must not pass for a whole.
final class InterruptibleSink: FrameSink {
    let sink: any FrameSink
    private let mayFinish: @Sendable () -> Bool

    /// - Parameter mayFinish: asked at the end.
    init(_ sink: any FrameSink, mayFinish: @escaping @Sendable () -> Bool) {
        self.sink = sink
        self.mayFinish = mayFinish
    }

    var isLive: Bool { sink.isLive }
    var isEncoder: Bool { sink.isEncoder }
    var framesKept: Int { sink.framesKept }

    func makePool(for stream: FrameStream, capacity: Int) throws(FrameError) -> FramePool {
        try sink.makePool(for: stream, capacity: capacity)
    }

    func makeWriter(for stream: FrameStream) throws(FrameError) -> any FrameWriter { try sink.makeWriter(for: stream) }

    func finish() throws(FrameError) { if mayFinish() { try sink.finish() } }

    /// Leaves nothing behind that was not finished. The program ends before everybody has let go of the sink.
    func abandon() {
        // The terminal's cursor, the socket of shared memory.
        if sink.isLive { try? sink.finish() }
        AtomicFile.removeUnfinished()
    }
}
