import Synchronization
import SystemPackage
import TexelCodecs

/// Many files through one recipe, once.
///
///     let batch = Batch(items, to: .directory("out"), recipe: recipe)
///     for await result in batch.results() { … }
///
/// What happens is told to all who listen to ``events``, of which ``results()`` is one view.
public final class Batch: Sendable {
    /// What happens, for any number of listeners. They may come before the work begins, while it goes on, and after its
    /// end; none of them can hold it up.
    public let events = Broadcast<BatchEvent>(keeping: \.isKept)

    private let items: [BatchItem]
    /// The first items, which are nothing to work on.
    private let failures: [FileResult]
    /// The others.
    private let jobs: [FileJob]
    private let pipeline: ImagePipeline
    private let width: Int
    private let stop: StopToken
    private let hasBegun = Atomic(false)

    /// - Parameters:
    ///   - failures: inputs that could not even be found; they are the first items, and fail at once.
    ///   - pool: whose width and budget decide how much is done at the same time.
    ///   - stop: ends the batch early; files that are done stay.
    public init(
        _ items: [InputItem], failures: [FileError] = [], to target: OutputTarget, recipe: Recipe,
        options: ProcessingOptions = ProcessingOptions(), pool: WorkerPool = .shared, stop: StopToken = StopToken()
    ) {
        let reservations = OutputReservations(inputs: items.filter(\.isFile).map(\.path))
        let destinations = OutputNaming.destinations(for: items, target: target, format: recipe.output.format)
        self.failures = failures.map { FileResult(failed: $0) }
        let inputs = self.failures.map { ($0.input, $0.name) } + items.map { ($0.path, $0.name) }
        self.items = inputs.enumerated().map { BatchItem(index: $0, input: $1.0, name: $1.1) }
        jobs = zip(items, destinations).map { item, destination in
            FileJob(
                item: item, destination: destination, recipe: recipe, options: options,
                isInPlace: target == .inPlace, makesDirectories: target.makesDirectories,
                reservations: reservations)
        }
        pipeline = ImagePipeline(workers: pool)
        width = pool.width
        self.stop = stop
    }

    /// Begins the work, unless it has begun.
    public func start() {
        guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
        let work = Task { await run() }
        stop.whenCancelled { work.cancel() }
    }

    /// Begins the work and gives the results in the order of the inputs, each as soon as it and those before it are
    /// there. Who leaves the loop early stops the batch.
    public func results() -> AsyncStream<FileResult> {
        let listener = events.listen(bufferingNewest: 0)
        let (stream, continuation) = AsyncStream<FileResult>.makeStream()
        // Set before the work begins: a stream that has finished without a handler calls a later one "cancelled".
        continuation.onTermination = { [stop] reason in
            if case .cancelled = reason { stop.cancel() }
        }
        Task {
            var done: [Int: FileResult] = [:]
            var delivered = 0
            for await event in listener {
                guard let (item, result) = event.ending else { continue }
                done[item.index] = result
                while let result = done.removeValue(forKey: delivered) {
                    continuation.yield(result)
                    delivered += 1
                }
            }
            continuation.finish()
        }
        start()
        return stream
    }

    // MARK: The work

    private func run() async {
        let start = ContinuousClock.now
        events.send(.queued(items))
        var summary = BatchSummary()
        for (item, failure) in zip(items, failures) {
            events.send(.started(item))
            events.send(.failed(item, failure))
            summary.add(failure)
        }
        await withTaskGroup(of: FileResult.self) { group in
            var waiting = zip(items.dropFirst(failures.count), jobs).makeIterator()
            func startNext() {
                guard let (item, job) = waiting.next() else { return }
                group.addTask { await self.run(job, item) }
            }
            // One more than there are workers: its file is read while the others compute.
            for _ in 0...width { startNext() }
            while let result = await group.next() {
                summary.add(result)
                startNext()
            }
        }
        summary.duration = ContinuousClock.now - start
        events.send(.ended(summary))
        events.finish()
    }

    /// - Returns: what was told already.
    private func run(_ job: FileJob, _ item: BatchItem) async -> FileResult {
        if stop.reason != .cancelled { events.send(.started(item)) }
        let counter = RowCounter { [events] in events.send(.progress(item, $0)) }
        let result = await job.run(in: pipeline, stop: stop, rowCounter: counter)
        events.send(BatchEvent(item, result))
        return result
    }
}

extension FileResult {
    /// An input that could not even be found.
    package init(failed error: FileError) {
        let path: FilePath =
            switch error {
            case .missing(let path), .isDirectory(let path), .cannotRead(let path, _), .alreadyExists(let path),
                .isInput(let path), .takenByAnother(let path), .cannotWriteFormat(let path), .cannotCreate(let path, _),
                .cannotWrite(let path, _):
                path
            }
        self.init(input: path)
        self.error = .file(error)
    }
}
