import ArgumentParser
import Texel

/// How the work is run and reported.
struct RunningOptions: ParsableArguments {
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print one JSON object per file.")
    var json = false

    @Option(help: "Write a page that shows each image before and after: report.html.", completion: .file())
    var report: String?

    @Option(help: "auto, bar, json or none; on standard error.")
    var progress = ProgressMode.auto

    @Flag(help: "Print the plan of each file: route, steps, memory.")
    var explain = false

    @Flag(name: [.short, .long], help: "Print warnings that were tolerated.")
    var verbose = false

    @Flag(help: "Print errors and warnings only.")
    var quiet = false

    func validate() throws {
        let others = [("json", json), ("explain", explain), ("verbose", verbose)]
        for (name, isSet) in others where quiet && isSet {
            throw ValidationError("--quiet prints errors and warnings only; leave out --\(name).")
        }
    }
}

/// How many files are processed at the same time, and what is tolerated.
struct WorkOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: "Files processed at the same time (default: the number of processors).")
    var jobs: Int?

    @Option(help: "Memory for decoded pixels.")
    var memory = ByteCountArgument(bytes: WorkerPool.defaultByteBudget)

    @OptionGroup var strictness: StrictnessOptions

    @OptionGroup var limits: LimitOptions

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs) is not between 1 and 1024.") }
    }

    var options: ProcessingOptions {
        var options = ProcessingOptions()
        options.limits = limits.limits
        options.strictness = strictness.level
        options.timeout = limits.timeLimit
        return options
    }

    var pool: WorkerPool {
        WorkerPool(width: jobs ?? WorkerPool.availableCores, byteBudget: memory.bytes, isolation: limits.isolation)
    }
}

/// How progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
    case auto, bar, json, none
}

extension Strictness: ExpressibleByArgument {}
