import Texel

/// How many files are processed at the same time, and what is tolerated.
struct WorkOptions: OptionGroup {
    var jobs: Int?
    var memory: ByteCountArgument?
    var strictness = StrictnessOptions()
    var limits = LimitOptions()

    static let options: [Option<Self>] =
        [
            .integer("jobs", \.jobs, .within(1...1024), help: "Files processed at the same time.").defaulting(
                to: "the number of processors"
            ).short("j"),
            .argument("memory", \.memory, ByteCountArgument.expectation, help: "Memory for decoded pixels.").defaulting(
                to: "\(ByteCountArgument(bytes: WorkerPool.defaultByteBudget))"),
        ]
        + StrictnessOptions.options(at: \.strictness)
        + LimitOptions.options(at: \.limits)

    var policy: DecodePolicy { DecodePolicy(limits: limits.limits, strictness: strictness.level) }

    var options: ProcessingOptions {
        var options = ProcessingOptions()
        options.policy = policy
        options.timeout = limits.timeLimit
        return options
    }

    var pool: WorkerPool {
        WorkerPool(
            width: jobs ?? WorkerPool.availableCores, byteBudget: memory?.bytes ?? WorkerPool.defaultByteBudget,
            isolation: limits.isolation)
    }
}
