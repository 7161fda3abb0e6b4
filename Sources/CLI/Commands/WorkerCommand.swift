import Texel

struct WorkerCommand: Command {
    static let description = CommandDescription(
        name: "worker",
        abstract: "Process jobs given as lines of JSON, for other programs.",
        examples: [
            #"echo '{"input": "a.jpg", "output": "b.jpg", "width": 640}' | texel worker"#,
            "texel worker --shard 2/8 < jobs.jsonl > results-2.jsonl",
            "parallel --pipe -j4 texel worker --unordered < jobs.jsonl > results.jsonl",
        ],
        discussion: """
            One JSON object per line in, one out: the object of --json with the job's id, its line number and its \
            exit code. The fields of a job are input, output, and the long flags in camelCase; command is compress \
            (default), resize, rotate, info or compare. A failed job has a result too. See docs/worker.md.
            """,
        brief: ["unordered", "shard", "exit-zero", "jobs"],
        briefNote: "The fields of a job are input, output and the long flags in camelCase.")

    var unordered = false
    var shard: Shard?
    var exitZero = false
    var work = WorkOptions()

    static let options: [Option<Self>] =
        [
            .flag("unordered", \.unordered, help: "Print results in order of completion, not of the jobs."),
            .argument(
                "shard", \.shard, "a part such as \"2/8\"",
                help: "Process one of n parts of the jobs: 1/3, 2/3, 3/3. Workers that get the same jobs share them."),
            .flag(
                "exit-zero", \.exitZero,
                help: "Exit with 0 even if jobs failed, because Hadoop and Spark would repeat them."),
        ]
        + WorkOptions.options(at: \.work, section: "Limits")

    func run() async throws {
        let hasFailed = try await WorkerRun(options: work, shard: shard, isOrdered: !unordered).run()
        if hasFailed, !exitZero { throw ExitStatus.someFailed }
    }
}
