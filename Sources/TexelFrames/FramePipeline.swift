public import TexelCodecs
public import TexelPipeline

/// How frames are treated, whatever the recipe.
public struct FramePipelineOptions: Sendable {
    /// What happens to frames that come faster than they are taken; `nil` is `latest` where the source or the sink is
    /// live, else `block`.
    public var policy: QueuePolicy?
    /// How many frames may wait for a worker; `latest` keeps one.
    public var queueCapacity = 2
    /// How many frames are worked on at the same time.
    public var workers = WorkerPool.availableCores
    /// Whether a frame that shows exactly what the one before it showed is dropped.
    public var dropsDuplicates = false
    /// Whether a frame that cannot be decoded is dropped; else it ends the stream.
    public var dropsDamaged = false
    public var limits = Limits()
    public var strictness = Strictness.truncated
    public var clock: any FrameClock = SystemFrameClock()

    public init() {}
}

/// Frames from a source, through a recipe, into a sink.
///
///     let run = try FramePipeline(from: source, Recipe().resizing(width: 640), into: sink).start()
///     let statistics = try run.wait()
///
/// One thread asks the source, which finds the bytes of the next frame; they wait in a bounded queue, not rendered yet;
/// workers, each on a thread of its own, take them, render and encode them at the same time, and deliver them in their
/// order. A worker takes a frame only when it has a buffer to render it into: what the sink does not give back, nobody
/// works for. So demand flows upstream, from the sink to the source, and a pipeline that is paused, or whose sink holds
/// on to its frames, costs no processor time.
///
/// The threads are the pipeline's own. On Linux dispatch queues share theirs with Swift's cooperative pool and grow
/// without end when their work waits, as sources, sinks and queues do.
public struct FramePipeline: Sendable {
    let source: any FrameSource
    let recipe: Recipe
    let sink: any FrameSink
    let options: FramePipelineOptions

    public init(
        from source: any FrameSource, _ recipe: Recipe = Recipe(), into sink: any FrameSink,
        options: FramePipelineOptions = FramePipelineOptions()
    ) {
        self.source = source
        self.recipe = recipe
        self.sink = sink
        self.options = options
    }

    /// The policy in force.
    public var policy: QueuePolicy {
        options.policy ?? (source.format.isLive || sink.isLive ? .latest : .block)
    }

    /// Begins; frames flow until the source ends, an error, or ``FrameRun/stop()``.
    ///
    /// - Throws: what the recipe cannot do with such frames, and what the sink cannot begin with.
    public func start() throws(FrameError) -> FrameRun {
        let run = try FrameRun(self)
        run.begin()
        return run
    }
}
