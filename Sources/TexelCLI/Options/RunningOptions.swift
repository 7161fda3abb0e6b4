import ArgumentParser
import Texel

/// How the work is done and told of.
struct RunningOptions: ParsableArguments {
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print one JSON object a file.")
    var json = false

    @Option(help: "Write a page that shows each picture before and after: report.html.", completion: .file())
    var report: String?

    @Option(help: "auto, bar, json or none; on standard error.")
    var progress = ProgressMode.auto

    @Flag(help: "Print the plan of each file: route, steps, memory.")
    var explain = false

    @Flag(name: [.short, .long], help: "Print what was let pass.")
    var verbose = false
}

/// How much is done at the same time, and what is let pass.
struct WorkOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "Files done at the same time (default: the number of processors).")
    var jobs: Int?

    @Option(help: "Memory for decoded pixels.")
    var memory = ByteCountArgument(bytes: WorkerPool.defaultByteBudget)

    @Option(help: "What a decoder may say before a file fails: none, truncated, error or warning.")
    var failOn = Strictness.truncated

    @OptionGroup var limits: LimitOptions

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs) is not between 1 and 1024.") }
    }

    var options: ProcessingOptions {
        var options = ProcessingOptions()
        options.limits = limits.limits
        options.strictness = failOn
        options.timeout = limits.timeout?.duration
        return options
    }

    var pool: WorkerPool {
        WorkerPool(width: jobs ?? WorkerPool.availableCores, byteBudget: memory.bytes)
    }
}

/// What a file may ask for before it is refused.
struct LimitOptions: ParsableArguments {
    @Option(help: "Pixels of a picture (default: 268402689).")
    var limitPixels: Int?

    @Option(help: "Pixels of one side (default: 65535).")
    var limitSide: Int?

    @Option(help: "Scans of a progressive JPEG (default: 500).")
    var limitScans: Int?

    @Option(help: "Frames of an animation (default: 10000).")
    var limitFrames: Int?

    @Option(help: "Bytes of an input file (default: 1GiB).")
    var limitInput: ByteCountArgument?

    @Option(help: "Bytes of one metadata block (default: 8MiB).")
    var limitMetadata: ByteCountArgument?

    @Option(help: "Bytes a codec may take for itself (default: 2GiB).")
    var limitMemory: ByteCountArgument?

    @Option(help: "Time for one file: 30, 30s or 500ms.")
    var timeout: DurationArgument?

    func validate() throws {
        let counts = [("pixels", limitPixels), ("side", limitSide), ("scans", limitScans), ("frames", limitFrames)]
        for case (let name, let count?) in counts where count < 1 {
            throw ValidationError("--limit-\(name) \(count) is not at least 1.")
        }
    }

    var limits: Limits {
        var limits = Limits()
        limits.pixels = limitPixels ?? limits.pixels
        limits.side = limitSide ?? limits.side
        limits.scans = limitScans ?? limits.scans
        limits.frames = limitFrames ?? limits.frames
        limits.inputBytes = limitInput?.bytes ?? limits.inputBytes
        limits.metadataBytes = limitMetadata?.bytes ?? limits.metadataBytes
        limits.codecBytes = limitMemory?.bytes ?? limits.codecBytes
        return limits
    }
}

/// How progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
    case auto, bar, json, none
}

extension Strictness: ExpressibleByArgument {}
