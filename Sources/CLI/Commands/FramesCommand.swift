import Synchronization
import Texel
import TexelCore
import TexelFrames

struct FramesCommand: Command, Sendable {
    static let description = CommandDescription(
        name: "frames",
        abstract: "Process videos, cameras and image sequences.",
        examples: [
            "texel frames clip.mp4                                  in the terminal",
            "texel frames clip.mp4 --width 640 -o - | ffplay -",
            "texel frames clip.y4m --max-rate 10 -o frames/%05d.jpg",
            "texel frames 'frames/*.png' --rate 30 -o clip.y4m",
            "texel frames /dev/video0 --frames 1 -o photo.jpg",
            "camera | texel frames - --size 1280x720 --pixel-format nv12 -o - --to mjpeg",
            "texel frames pattern:1920x1080 -o null --frames 600 --stats text",
        ],
        discussion: """
            The order of operations is that of all commands. A video file appears when the stream has ended; images \
            appear one by one.
            """,
        brief: ["output", "to", "width", "height", "drop", "stats"])

    var input = FrameInputOptions()
    var output = FrameOutputOptions()
    var pacing = FramePacingOptions()
    var size = SizeOptions()
    var turning = TurningOptions()
    var changes = ChangeOptions()
    var failOn: Strictness?
    var stats: StatisticsMode?
    var limits = LimitOptions()

    static let options: [Option<Self>] =
        FrameInputOptions.options(at: \.input, section: "Source")
        + FrameOutputOptions.options(at: \.output, section: "Output")
        + FramePacingOptions.options(at: \.pacing, section: "Which frames, and when")
        + SizeOptions.options(at: \.size, section: "Size")
        + TurningOptions.options(at: \.turning, section: "Turning")
        + ChangeOptions.options(at: \.changes)
        + [
            .argument(
                "fail-on", \.failOn, help: "Decoder messages that end the stream: none, truncated, error or warning."
            ).defaulting(to: "truncated").note("With none, frames that cannot be decoded are dropped and counted."),
            .argument(
                "stats", \.stats,
                help: "Print statistics on standard error, times in microseconds: auto, text, json or none."
            ).defaulting(to: "auto"),
        ]
        + LimitOptions.options(at: \.limits, section: "Limits")

    func checkMeaning() throws(OptionError) {
        try input.check()
        try output.check()
        try pacing.check()
        try size.check()
        if size.hasSeveralWidths { throw OptionError("Frames have one size; give one --width") }
        if size.trim {
            throw OptionError("frames does not support --trim, because all frames have one size; use --crop")
        }
        try turning.check()
        try changes.check()
        let given = size.given.union(turning.given).union(changes.given)
        try UnusedOptions.check(size, turning, changes, given: given)
        if input.source == "-", pacing.crossfade == "-" {
            throw OptionError("Standard input can be read only once: name another --crossfade source")
        }
        try target().checkUnused(output, usesBackground: recipe(CompositionImages()).usesBackground)
    }

    private var strictness: Strictness { failOn ?? .truncated }

    private func target() throws(OptionError) -> FrameTarget {
        try FrameTarget(
            output, isTerminal: Console.isTerminal(.output), frameCount: pacing.frame == nil ? pacing.frames : 1)
    }

    func run() async throws {
        let target = try target()
        let subject = Subject(input.source)
        let images = try await changes.composition.imagesOfCommand(limits, strictness)
        let recipe = recipe(images)
        let warnings = images.warnings + recipe.operations.flatMap(\.value.warnings)
        do {
            // On a thread of its own: blocking here must not delay the tasks that communicate with ffmpeg.
            try await BlockingWork.run { () throws(TexelError) in try play(recipe, to: target, subject, warnings) }
        } catch {
            // The user who interrupts the program needs no message.
            if error.kind != .cancelled {
                Console.complain("\(subject.name): \(ErrorText.sentence(error, replacesInputs: false))")
            }
            throw ExitStatus(error)
        }
    }

    /// The name that error messages refer to.
    private final class Subject: Sendable {
        private let state: Mutex<String>
        init(_ name: String) { state = Mutex(name) }

        var name: String {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// - Parameter warnings: of the recipe; they are printed once its input and output have been opened.
    private func play(
        _ recipe: Recipe, to target: FrameTarget, _ subject: Subject, _ warnings: [String]
    ) throws(TexelError) {
        let interruption = Interruption.shared
        let stop = StopToken(parent: interruption.stop, timeout: limits.timeLimit)
        let watch = FrameWatch(stop)
        let source: any FrameSource
        do throws(TexelError) {
            source = try pacing.open(input, limits: limits, stop: stop) { subject.name = $0 }
        } catch {
            throw watch.explained(error)
        }
        // An endless stream is complete when the user ends it.
        let reasonThatEnds: StopReason? = source.format.isLive || input.isEndless ? .cancelled : nil
        let opened: any FrameSink
        do throws(TexelError) {
            opened = try target.makeSink(output, input, inputs: pacing.inputs(input), stop: stop)
        } catch {
            throw watch.explained(error)
        }
        for warning in warnings { Console.complain("\(subject.name): warning: \(warning)") }
        if reasonThatEnds != nil, target.isFile { interruption.awaitsCompletion() }
        let sink = InterruptibleSink(opened) { [nil, reasonThatEnds].contains(stop.reason) }
        defer { sink.abandon() }
        var options = pacing.options
        options.decodePolicy = DecodePolicy(limits: limits.limits, strictness: strictness)
        options.dropsDamaged = strictness == .none
        options.outputRate = output.toRate?.rate
        let paced = pacing.paced(source, isTerminal: target == .terminal)
        try watch.run(
            FramePipeline(from: paced, recipe, into: sink, options: options),
            reporter: FrameReporter(stats ?? .auto, sink: sink.sink), source: input.source, output: output.output)
    }

    private func recipe(_ images: CompositionImages) -> Recipe {
        var recipe = Recipe()
        recipe.output.background = output.background
        return OperationOrder.recipes(recipe, size, turning, changes, images).first ?? recipe
    }
}
