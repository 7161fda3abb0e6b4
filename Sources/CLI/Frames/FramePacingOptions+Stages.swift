import Texel
import TexelCore
import TexelFrames

extension FramePacingOptions {
    /// Opens the source, and adds the stages that select its frames.
    ///
    /// - Parameter subject: called with the name that later errors refer to.
    func open(
        _ input: FrameInputOptions, limits: LimitOptions, stop: StopToken, subject: (String) -> Void
    ) throws(TexelError) -> any FrameSource {
        var source: any FrameSource
        if input.loop {
            source = try LoopedSource { () throws(TexelError) in
                part(of: try input.open(input.source, limits: limits, stop: stop))
            }
        } else {
            source = part(of: try input.open(input.source, limits: limits, stop: stop))
        }
        if let crossfade, let crossfadeAt {
            subject(crossfade)
            source = CrossfadeSource(
                source, try input.open(crossfade, limits: limits, stop: stop), at: crossfadeAt.time,
                duration: crossfadeFor?.duration ?? .seconds(1))
            subject("\(input.source) and \(crossfade)")
        }
        if case .frames(let count) = every, count > 1 { source = source.sampled(every: count) }
        if let maxRate { source = source.throttled(to: maxRate.rate) }
        if let frames { source = source.prefix(frames) }
        return source
    }

    /// The chosen part of a source: its range, as progressive frames, and of these one per interval or one only.
    private func part(of source: any FrameSource) -> any FrameSource {
        var source = ranged(source)
        let isSparse = if case .time = every { true } else { false }
        // Frames that are far apart in time say nothing about each other's missing rows. So all frames are read if the
        // headers announce fields, and otherwise none is deinterlaced.
        if deinterlace == .auto, !isSparse || source.format.fields != nil { source = source.deinterlaced() }
        if case .time(let interval) = every { source = source.sampled(every: interval) }
        return frame == nil ? source : source.prefix(1)
    }

    private func ranged(_ source: any FrameSource) -> any FrameSource {
        if let frame { return source.range(from: .frame(frame)) }
        guard start != nil || end != nil else { return source }
        return source.range(from: .time(start?.time ?? .zero), to: end?.time)
    }

    /// The files that the source reads.
    func inputs(_ input: FrameInputOptions) -> [FilePath] {
        ([input.source] + [crossfade].compactMap(\.self)).flatMap(FrameSourceFactory.files(of:))
    }

    /// Delays frames to their times, if requested.
    ///
    /// - Parameter isTerminal: whether frames are shown in a terminal, where this is the default.
    func paced(_ source: any FrameSource, isTerminal: Bool) -> any FrameSource {
        (realtime ?? isTerminal) && !source.format.isLive ? source.paced() : source
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
