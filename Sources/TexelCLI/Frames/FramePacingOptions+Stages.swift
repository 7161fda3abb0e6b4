import Texel
import TexelFrames

extension FramePacingOptions {
    /// Opens the source, and adds the stages that select its frames.
    ///
    /// - Parameter subject: called with the name that later errors refer to.
    func open(
        _ input: FrameInputOptions, limits: Limits, stop: StopToken, subject: (String) -> Void
    ) throws(FrameError) -> any FrameSource {
        var source: any FrameSource
        if input.loop {
            source = try LoopedSource { () throws(FrameError) in
                try input.open(input.source, limits: limits, stop: stop)
            }
        } else {
            source = try input.open(input.source, limits: limits, stop: stop)
        }
        if let crossfade, let crossfadeAt {
            subject(crossfade)
            source = CrossfadeSource(
                source, try input.open(crossfade, limits: limits, stop: stop), at: crossfadeAt.time,
                duration: crossfadeFor?.duration ?? .seconds(1))
            subject("\(input.source) and \(crossfade)")
        }
        if let every, every > 1 { source = SampledSource(source, every: every) }
        if let maxRate { source = ThrottledSource(source, to: maxRate.rate) }
        if let frames { source = PrefixSource(source, count: frames) }
        return source
    }

    /// The files that the source reads.
    func inputs(_ input: FrameInputOptions) -> [FilePath] {
        ([input.source] + [crossfade].compactMap(\.self)).flatMap(FrameSourceFactory.files(of:))
    }

    /// Delays frames to their times, if requested.
    ///
    /// - Parameter isTerminal: whether frames are shown in a terminal, where this is the default.
    func paced(_ source: any FrameSource, isTerminal: Bool) -> any FrameSource {
        (realtime ?? isTerminal) && !source.format.isLive ? PacedSource(source) : source
    }

    var options: FramePipelineOptions {
        var options = FramePipelineOptions()
        options.policy = drop
        if let queue { options.queueCapacity = queue }
        if let jobs { options.workers = jobs }
        options.dropsDuplicates = dropDuplicates
        return options
    }
}
