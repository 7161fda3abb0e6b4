import SystemPackage
import Texel
import TexelCore

/// Runs a worker from its first job to its last result.
///
/// As many jobs run as the pool has workers, plus one whose file is read meanwhile. A job begins when another one has
/// ended and its result was written, so a slow reader of the results also slows the sender of jobs.
struct WorkerRun {
    let options: WorkOptions
    let shard: Shard?
    let isOrdered: Bool

    private enum Event: Sendable {
        /// New lines; none at the end of the input.
        case lines([JobLine])
        /// A finished job; the text is empty if the worker was stopped before.
        case finished(Int, text: String, hasFailed: Bool)
    }

    /// - Returns: whether a job failed.
    /// - Throws: `ExitStatus` if the worker could not continue.
    func run() async throws -> Bool {
        let defaults = JobOptions(options)
        let interruption = Interruption.shared
        do throws(Errno) { try interruption.stop.openDescriptor() } catch {
            throw Self.failure("cannot create a pipe: \(error)")
        }
        let (pool, stop) = (options.pool, interruption.stop)
        let runner = JobRunner(defaults: defaults, pool: pool, stop: stop)
        let (input, output) = (JobInput(stop), ResultOutput(stop))
        let task = Task { await work(input, output, runner, width: pool.width + 1, stop: stop) }
        stop.whenCancelled { task.cancel() }
        let outcome = await task.value
        // An output error has precedence over the stop that it caused.
        if case .failure(.failed) = outcome { throw ExitStatus.inputOutputError }
        if interruption.hasHappened { throw ExitStatus.interrupted }
        if let errno = input.error { throw Self.failure("cannot read standard input: \(errno)") }
        return (try? outcome.get()) ?? false
    }

    private static func failure(_ sentence: String) -> ExitStatus {
        Console.complain(sentence)
        return ExitStatus.inputOutputError
    }

    private func work(
        _ input: JobInput, _ output: ResultOutput, _ runner: JobRunner, width: Int, stop: StopToken
    ) async -> Result<Bool, ResultOutput.End> {
        await withTaskGroup(of: Event.self) { group in
            var (waiting, order) = (ArraySlice<JobLine>(), ResultOrder(isKept: isOrdered))
            var (running, isAsking, isOver, hasFailed) = (0, false, false, false)
            var end: ResultOutput.End?
            while true {
                while running < width, order.hasRoom, stop.reason == nil, let line = waiting.popFirst() {
                    let number = order.begin()
                    running += 1
                    group.addTask {
                        let result = await runner.result(of: line)
                        return .finished(number, text: result?.text ?? "", hasFailed: result?.status != .success)
                    }
                }
                if waiting.isEmpty, !isAsking, !isOver, running < width, order.hasRoom {
                    isAsking = true
                    group.addTask { .lines(await input.next()) }
                }
                guard let event = await group.next() else { break }
                switch event {
                case .lines(let lines):
                    isAsking = false
                    isOver = lines.isEmpty
                    waiting = lines.filter { shard?.contains($0) ?? true }[...]
                case .finished(let number, let text, let failed):
                    running -= 1
                    hasFailed = hasFailed || failed
                    let texts = order.finish(number, text)
                    guard end == nil, !texts.isEmpty else { continue }
                    do throws(ResultOutput.End) {
                        try await output.write(texts)
                    } catch {
                        end = error
                        stop.cancel()
                    }
                }
            }
            return end.map { .failure($0) } ?? .success(hasFailed)
        }
    }
}
