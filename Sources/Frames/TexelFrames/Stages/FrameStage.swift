import Synchronization
import TexelCodecs
import TexelCore
import TexelPixels

/// A source that passes, changes and drops the frames of another one: the shape of all stages. What a stage adds is its
/// state and its step.
final class FrameStage<State: ~Copyable>: FrameSource, FrameDropCounting {
    /// Returns the next frame of the stage, from as many of the source's as it needs; `nil` at the end of the stream.
    typealias Step = @Sendable (inout State, FrameStage, StopToken) throws(TexelError) -> SourceFrame?

    let format: FrameFormat
    let source: any FrameSource
    private let step: Step
    private let state: Monitor<Counted>
    private let cause: FrameStatistics.DropCause?
    private let renumbers: Bool
    /// Separate from `state`, because statistics are queried while ``next(_:)`` blocks.
    private let dropCount = Atomic(0)

    private struct Counted: ~Copyable {
        var state: State
        /// The number of the next frame.
        var index = 0
    }

    /// - Parameters:
    ///   - format: The properties of the stage; by default those of the source.
    ///   - cause: The cause of the drops that ``countDrop()`` counts.
    ///   - renumbers: Whether frames are numbered from 0; otherwise they keep the numbers of the source.
    init(
        _ source: any FrameSource, format: FrameFormat? = nil, drops cause: FrameStatistics.DropCause? = nil,
        renumbers: Bool = false, _ state: consuming State, step: @escaping Step
    ) {
        self.source = source
        self.format = format ?? source.format
        self.cause = cause
        self.renumbers = renumbers
        self.state = Monitor(Counted(state: state))
        self.step = step
    }

    var upstream: [any FrameSource] { [source] }

    func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        try state.withLock { (counted) throws(TexelError) -> SourceFrame? in
            guard var frame = try step(&counted.state, self, stop) else { return nil }
            if renumbers {
                frame.index = counted.index
                counted.index += 1
            }
            return frame
        }
    }

    func countDrop() { dropCount.add(1, ordering: .relaxed) }

    func droppedFrames(_ cause: FrameStatistics.DropCause) -> Int {
        cause == self.cause ? dropCount.load(ordering: .relaxed) : 0
    }
}
