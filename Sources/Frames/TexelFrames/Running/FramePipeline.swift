public import TexelCodecs
public import TexelCore
public import TexelPipeline

/// Settings of a pipeline that do not depend on the recipe.
public struct FramePipelineOptions: Sendable {
    /// The policy for frames that arrive faster than they are processed; `nil` means `latest` if the source or sink is
    /// live, else `block`.
    public var policy: QueuePolicy?
    /// The number of frames that can wait for a worker; the policy `latest` always keeps one.
    public var queueCapacity = 2
    /// The number of frames that are rendered at the same time.
    public var workers = WorkerPool.availableCores
    /// Whether frames identical to the one before are dropped.
    public var dropsDuplicates = false
    /// The rate of outputs that store no times (Y4M, Motion JPEG, raw samples): frames are repeated or left out so that
    /// each is shown at its time. `nil` means the stream's ``FrameFormat/baseRate`` if it is at most 60, else its
    /// average rate; if neither is known, or duplicates are dropped, each frame is written once.
    ///
    /// Frames that the queue drops leave no gaps, because they are dropped where the output is too slow for all frames.
    public var outputRate: FrameRate?
    /// Whether frames that cannot be decoded are dropped; otherwise the first of them ends the stream.
    public var dropsDamaged = false
    /// The limits for decoding each frame, and how much damage is accepted.
    public var decodePolicy = DecodePolicy()
    /// The clock for arrival times and statistics.
    public var clock: any FrameClock = SystemFrameClock()

    /// Creates the default settings.
    public init() {}
}

/// Reads frames from a source, applies a recipe and writes the results to a sink.
///
///     let run = try FramePipeline(from: source, Recipe().resizing(width: 640), into: sink).start()
///     let statistics = try run.wait()
///
/// One thread calls the source, which finds the bytes of the next frame. Frames wait in a bounded queue before they are
/// rendered. Workers, each on its own thread, render and encode them in parallel and deliver them in order. A worker
/// takes a frame only once it has a buffer to render into. So demand propagates from the sink to the source: a pipeline
/// that is paused, or whose sink keeps all buffers, takes no processor time.
///
/// The pipeline has its own threads because sources, sinks and queues block. On Linux, dispatch queues share theirs
/// with Swift's cooperative pool and add threads without bound when work blocks.
public struct FramePipeline: Sendable {
    let source: any FrameSource
    let recipe: Recipe
    let sink: any FrameSink
    /// The sink, if it is one that spaces frames evenly for another one.
    let constantRate: ConstantRateSink?
    let options: FramePipelineOptions

    /// Creates a pipeline; ``start()`` runs it.
    public init(
        from source: any FrameSource, _ recipe: Recipe = Recipe(), into sink: any FrameSink,
        options: FramePipelineOptions = FramePipelineOptions()
    ) {
        self.source = source
        self.recipe = recipe
        let rate = options.outputRate ?? (options.dropsDuplicates ? nil : source.format.outputRate)
        constantRate = sink.needsConstantRate ? rate.map { ConstantRateSink(sink, rate: $0) } : nil
        self.sink = constantRate ?? sink
        self.options = options
    }

    /// The queue policy in use: the chosen one, or the default for this source and sink.
    public var policy: QueuePolicy {
        options.policy ?? (source.format.isLive || sink.isLive ? .latest : .block)
    }

    /// Starts the threads. The run ends with the source, with an error, or at ``FrameRun/stop()``.
    ///
    /// - Throws: If the recipe cannot be applied to such frames, or the sink cannot start.
    public func start() throws(TexelError) -> FrameRun {
        let run = try FrameRun(self)
        run.begin()
        return run
    }
}
