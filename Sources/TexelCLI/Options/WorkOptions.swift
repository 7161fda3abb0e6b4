import ArgumentParser
import Texel

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

    var policy: DecodePolicy { DecodePolicy(limits: limits.limits, strictness: strictness.level) }

    var options: ProcessingOptions {
        var options = ProcessingOptions()
        options.policy = policy
        options.timeout = limits.timeLimit
        return options
    }

    var pool: WorkerPool {
        WorkerPool(width: jobs ?? WorkerPool.availableCores, byteBudget: memory.bytes, isolation: limits.isolation)
    }
}
