import Texel
import TexelFrames

/// Whether interlaced frames are deinterlaced.
enum Deinterlacing: String, NamedArgument {
    /// Frames that the stream marks as interlaced.
    case auto
    /// None: both fields stay in one frame.
    case off
}

/// Which frames are used, and when.
struct FramePacingOptions: OptionGroup {
    var start: MomentArgument?
    var end: MomentArgument?
    var frame: Int?
    var every: EveryArgument?
    var deinterlace: Deinterlacing?
    var maxRate: RateArgument?
    var dropDuplicates = false
    var realtime: Bool?
    var frames: Int?
    var crossfade: String?
    var crossfadeAt: MomentArgument?
    var crossfadeFor: DurationArgument?
    var drop: QueuePolicy?
    var queue: Int?
    var jobs: Int?

    static let options: [Option<Self>] = [
        .argument(
            "start", \.start, MomentArgument.expectation,
            help: "Begin at this time, exact to the frame: 12.5, 12.5s or 00:01:30.5."),
        .argument("end", \.end, MomentArgument.expectation, help: "End before this time."),
        .integer("frame", \.frame, .from(0), help: "Use only the frame of this number, from 0."),
        .argument(
            "every", \.every, "a number of frames, or a time such as \"2s\"",
            help: "Use one frame of every N, or one per interval: 5, 2s or 500ms."),
        .argument(
            "deinterlace", \.deinterlace,
            help: "Whether interlaced frames become two frames of all rows each: auto or off."
        ).defaulting(to: "auto"),
        .argument("max-rate", \.maxRate, RateArgument.expectation, help: "Maximum number of frames per second."),
        .flag("drop-duplicates", \.dropDuplicates, help: "Drop frames that equal the one before."),
        .flag("realtime", \.realtime, help: "Deliver frames in real time, as a player does.").defaulting(
            to: "in the terminal"),
        .flag("no-realtime", \.realtime, isInverted: true),
        .integer("frames", \.frames, .from(1), help: "Stop after N frames."),
        .text("crossfade", \.crossfade, help: "A second source that the first fades into.").completed(with: .file),
        .argument("crossfade-at", \.crossfadeAt, MomentArgument.expectation, help: "When the fade begins, in seconds."),
        .argument("crossfade-for", \.crossfadeFor, DurationArgument.expectation, help: "How long the fade takes.")
            .defaulting(to: "1 second"),
        .argument(
            "drop", \.drop,
            help: "What to do with frames that arrive too fast: latest, drop-oldest, drop-newest or block."
        ).note("The default is latest for live sources, --realtime, terminal and shared memory, else block."),
        .integer("queue", \.queue, .within(1...1024), help: "How many frames may wait.").defaulting(
            to: "2; latest keeps one"),
        .integer("jobs", \.jobs, .within(1...1024), help: "Frames processed at the same time.").defaulting(
            to: "the number of processors"
        ).short("j"),
    ]

    func checkMeaning() throws(OptionError) {
        if frame != nil, start != nil || end != nil || every != nil || frames != nil {
            throw OptionError("--frame selects one frame; leave out --start, --end, --every and --frames")
        }
        if let end, end.time <= start?.time ?? .zero {
            throw OptionError("--end is not after \(start == nil ? "the start of the source" : "--start")")
        }
        if case .frames(let count) = every, !(1...Int(Int32.max)).contains(count) {
            throw OptionError("--every \(count) is not at least 1")
        }
        if crossfade == nil, crossfadeAt != nil || crossfadeFor != nil {
            throw OptionError("--crossfade-at and --crossfade-for require --crossfade SOURCE")
        }
        if let crossfade { try FrameInputOptions.check(crossfade) }
        if crossfade != nil, crossfadeAt == nil {
            throw OptionError("--crossfade requires --crossfade-at SECONDS")
        }
    }
}
