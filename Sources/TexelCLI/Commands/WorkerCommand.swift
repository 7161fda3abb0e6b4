import ArgumentParser
import Texel

struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Do jobs that come as lines of JSON, for other programs.",
        discussion: """
            echo '{"input": "a.jpg", "output": "b.jpg", "width": 640, "quality": 75}' | texel worker
            texel worker --shard 2/8 < jobs.jsonl > results-2.jsonl
            parallel --pipe -j4 texel worker --unordered < jobs.jsonl > results.jsonl

            One JSON object a line in, one out: what --json prints of the file, with the job's id, its line, and the \
            code that the program would have ended with. A job's fields are input, output, and the long flags in \
            camelCase; command is compress (default), resize, rotate, info or compare. An error is a result. See \
            docs/worker.md.
            """)

    @Flag(help: "Give results as they come, not in the order of the jobs.")
    var unordered = false

    @Option(help: "Do one of n parts of the jobs: 1/3, 2/3, 3/3. Workers that are given the same jobs share them.")
    var shard: Shard?

    @Flag(help: "End with 0 where jobs failed: Hadoop and Spark would begin again.")
    var exitZero = false

    @OptionGroup(title: "Limits") var work: WorkOptions

    func run() async throws {
        let hasFailed = try await WorkerRun(options: work, shard: shard, isOrdered: !unordered).run()
        if hasFailed, !exitZero { throw ExitStatus.someFailed.exitCode }
    }
}
