import ArgumentParser
import Texel
import TexelFrames

/// Whether interlaced frames are deinterlaced.
enum Deinterlacing: String, CaseIterable, ExpressibleByArgument {
    /// Those that the stream marks as interlaced.
    case auto
    /// None: both fields stay in one frame.
    case off
}

/// Which frames are used, and when.
struct FramePacingOptions: ParsableArguments {
    @Option(help: "Begin at this time, exact to the frame: 12.5, 12.5s or 00:01:30.5.")
    var start: MomentArgument?

    @Option(help: "End before this time.")
    var end: MomentArgument?

    @Option(help: "Use only the frame of this number, from 0.")
    var frame: Int?

    @Option(help: "Use one frame of every N, or one per interval: 5, 2s or 500ms.")
    var every: EveryArgument?

    @Option(help: "Whether interlaced frames become two frames of all rows each: auto or off.")
    var deinterlace = Deinterlacing.auto

    @Option(help: "Maximum number of frames per second.")
    var maxRate: RateArgument?

    @Flag(help: "Drop frames that equal the one before.")
    var dropDuplicates = false

    @Flag(inversion: .prefixedNo, help: "Deliver frames in real time, as a player does (default: in the terminal).")
    var realtime: Bool?

    @Option(help: "Stop after N frames.")
    var frames: Int?

    @Option(help: "A second source that the first fades into.", completion: .file())
    var crossfade: String?

    @Option(help: "When the fade begins, in seconds.")
    var crossfadeAt: MomentArgument?

    @Option(help: "How long the fade takes (default: 1 second).")
    var crossfadeFor: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "What to do with frames that arrive too fast: latest, drop-oldest, drop-newest or block.",
            discussion: "The default is latest for live sources, --realtime, terminal and shared memory, else block."))
    var drop: QueuePolicy?

    @Option(help: "How many frames may wait (default: 2; latest keeps one).")
    var queue: Int?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: "Frames processed at the same time (default: the number of processors).")
    var jobs: Int?

    /// The N of one frame of every N.
    private var everyCount: Int? { if case .frames(let count) = every { count } else { nil } }

    func check() throws {
        if let frame, frame < 0 { throw ValidationError("--frame \(frame) is not at least 0.") }
        if frame != nil, start != nil || end != nil || every != nil || frames != nil {
            throw ValidationError("--frame selects one frame; leave out --start, --end, --every and --frames.")
        }
        if let end, end.time <= start?.time ?? .zero {
            throw ValidationError("--end is not after \(start == nil ? "the start of the source" : "--start").")
        }
        for case (let name, let count?, let limit) in [
            ("every", everyCount, Int(Int32.max)), ("frames", frames, Int.max), ("queue", queue, 1024),
            ("jobs", jobs, 1024),
        ] where !(1...limit).contains(count) {
            throw ValidationError(
                "--\(name) \(count) is not " + (limit == 1024 ? "between 1 and 1024." : "at least 1."))
        }
        if crossfade == nil, crossfadeAt != nil || crossfadeFor != nil {
            throw ValidationError("--crossfade-at and --crossfade-for require --crossfade SOURCE.")
        }
        if let crossfade { try FrameInputOptions.check(crossfade) }
        if crossfade != nil, crossfadeAt == nil {
            throw ValidationError("--crossfade requires --crossfade-at SECONDS.")
        }
    }
}
