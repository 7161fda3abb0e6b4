import PlatformLibc
import TexelCodecs
public import TexelCore
import TexelPipeline
import TexelPixels

/// Yields the newest frame of several sources, for example of the camera that delivered last.
///
/// Each source is read on its own thread, from the first call on. Of live sources only the newest frame is kept; the
/// replaced ones are counted as superseded. A source that is not live waits until its frame is taken, so that none is
/// lost. Times never decrease: a frame with an earlier time than the last returned one gets that one's time.
///
/// The stream ends when all sources have ended and fails when one fails. The threads end with their sources, when the
/// stream is stopped, and, once their current read returns, after this object is released.
public final class LatestSource: FrameSource, FrameDropCounting {
    /// Properties of the stream: the first source's size; the colour and rate if they apply to all frames.
    public let format: FrameFormat
    private let sources: [any FrameSource]
    private let state: Monitor<State>

    private struct State: ~Copyable {
        var hasBegun = false
        var latest: SourceFrame?
        var readerCount: Int
        var failure: TexelError?
        /// No more frames will be taken.
        var isAbandoned = false
        var lastTime = Duration.zero
        var index = 0
        var dropCount = 0
    }

    private enum Outcome: ~Copyable {
        case frame(SourceFrame)
        case failure(TexelError)
        case end
    }

    /// Creates a source from several others.
    ///
    /// - Throws: `invalidStream` if `sources` is empty.
    public init(of sources: [any FrameSource]) throws(TexelError) {
        guard let first = sources.first else { throw .invalidStream("at least one frame source is required") }
        self.sources = sources
        let color = first.format.color
        var format = FrameFormat(
            size: first.format.size, rate: sources.count == 1 ? first.format.rate : nil,
            isLive: sources.contains { $0.format.isLive },
            color: sources.allSatisfy { $0.format.color == color } ? color : nil,
            isEncoded: sources.contains { $0.format.isEncoded },
            fields: sources.allSatisfy { $0.format.fields == first.format.fields } ? first.format.fields : nil)
        if sources.count == 1 { format.baseRate = first.format.baseRate }
        self.format = format
        state = Monitor(State(readerCount: sources.count))
    }

    deinit { state.update { $0.isAbandoned = true } }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        begin(stop)
        let outcome = state.wait { state -> Outcome? in
            if stop.isStopped {
                state.isAbandoned = true
                return .end
            }
            if let failure = state.failure {
                state.isAbandoned = true
                return .failure(failure)
            }
            if var frame = state.latest.take() {
                frame.time = max(frame.time, state.lastTime)
                frame.index = state.index
                state.lastTime = frame.time
                state.index += 1
                return .frame(frame)
            }
            return state.readerCount == 0 ? .end : nil
        }
        switch consume outcome {
        case .frame(let frame): return frame
        case .failure(let failure): throw failure
        case .end: return nil
        }
    }

    public var upstream: [any FrameSource] { sources }

    public func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        cause == .superseded ? state.withLock { $0.dropCount } : 0
    }

    private func begin(_ stop: StopToken) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        for source in sources {
            let state = state
            let thread = WorkerThread { Self.read(source, into: state, stop) }
            if let thread {
                thread.detach()
            } else {
                state.update { $0.failure = .streamFailed(EAGAIN) }
            }
        }
    }

    private static func read(_ source: any FrameSource, into state: Monitor<State>, _ stop: StopToken) {
        let isLive = source.format.isLive
        do throws(TexelError) {
            while let frame = try source.nextFrame(stop), deliver(frame, isLive: isLive, to: state) {}
        } catch {
            state.update { $0.failure = $0.failure ?? error }
        }
        state.update { $0.readerCount -= 1 }
    }

    /// Stores a frame as the latest, waiting for room if the source is not live; `false` if no more frames will be
    /// taken.
    private static func deliver(
        _ frame: consuming SourceFrame, isLive: Bool, to state: Monitor<State>
    ) -> Bool {
        var frame: SourceFrame? = consume frame
        return state.wait { state -> Bool? in
            if state.isAbandoned { return false }
            if let older = state.latest.take() {
                guard isLive else {
                    state.latest = consume older
                    return nil
                }
                _ = consume older
                state.dropCount += 1
            }
            state.latest = frame.take()
            return true
        }
    }
}
