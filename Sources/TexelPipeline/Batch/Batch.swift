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

    /// One for each result; first those of the failures.
    private let items: [BatchItem]
    /// The first items, which are nothing to work on.
    private let failures: [FileResult]
    /// The others, each with its items.
    private let works: [(work: BatchWork, items: [BatchItem])]
    /// Results that a former batch left; they are no items.
    private let resumedCount: Int
    private let otherFileCount: Int
    private let pipeline: ImagePipeline
    private let width: Int
    private let manifest: BatchManifest?
    private let stop: StopToken
    private let hasBegun = Atomic(false)

    /// - Parameters:
    ///   - failures: inputs that could not even be found; they are the first items, and fail at once.
    ///   - pool: whose width and budget decide how much is done at the same time.
    ///   - stop: ends the batch early; files that are done stay.
    public convenience init(
        _ items: [InputItem], failures: [FileError] = [], to target: OutputTarget, recipe: Recipe,
        options: ProcessingOptions = ProcessingOptions(), pool: WorkerPool = .shared, stop: StopToken = StopToken()
    ) {
        self.init(
            items, failures: failures, to: target, recipes: [recipe], options: options, pool: pool, stop: stop)
    }

    /// A batch that makes several results of each input, such as the widths of a page's `srcset`, from one decode. Each
    /// of them is an item of its own; in a directory, and beside the input, its width is part of its name.
    ///
    /// - Parameters:
    ///   - failures: inputs that could not even be found; they are the first items, and fail at once.
    ///   - otherFileCount: files that were found and are not images, for the summary.
    ///   - manifest: of the directory that the results go to.
    ///   - pool: whose width and budget decide how much is done at the same time.
    ///   - stop: ends the batch early; files that are done stay.
    public init(
        _ items: [InputItem], failures: [FileError] = [], otherFileCount: Int = 0, to target: OutputTarget,
        recipes: [Recipe], options: ProcessingOptions = ProcessingOptions(), manifest: BatchManifest? = nil,
        pool: WorkerPool = .shared, stop: StopToken = StopToken()
    ) {
        self.failures = failures.map { FileResult(failed: $0) }
        let works = BatchWork.all(items, target, recipes, options, manifest)
        let inputs =
            self.failures.map { ($0.input, $0.name) }
            + works.flatMap { work in work.numbers.map { _ in (work.job.item.path, work.job.item.name) } }
        let batchItems = inputs.enumerated().map { BatchItem(index: $0, input: $1.0, name: $1.1) }
        var rest = batchItems.dropFirst(failures.count)
        self.works = works.map { work in
            defer { rest = rest.dropFirst(work.numbers.count) }
            return (work, Array(rest.prefix(work.numbers.count)))
        }
        self.items = batchItems
        self.otherFileCount = otherFileCount
        resumedCount = items.count * recipes.count + failures.count - batchItems.count
        pipeline = ImagePipeline(workers: pool)
        width = pool.width
        self.manifest = manifest
        self.stop = stop
    }

    /// Begins the work, unless it has begun.
    public func start() {
        guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
        let work = Task { await run() }
        stop.whenCancelled { work.cancel() }
    }

    /// The summary before anything is done.
    public var emptySummary: BatchSummary { BatchSummary(resumedCount: resumedCount, otherFileCount: otherFileCount) }

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
        var summary = emptySummary
        for (item, failure) in zip(items, failures) {
            events.send(.started(item))
            events.send(.failed(item, failure))
            summary.add(failure)
        }
        await withTaskGroup(of: [FileResult].self) { group in
            var waiting = works.makeIterator()
            func startNext() {
                guard let (work, items) = waiting.next() else { return }
                group.addTask { await self.run(work, items) }
            }
            // One more than there are workers: its file is read while the others compute.
            for _ in 0...width { startNext() }
            while let results = await group.next() {
                for result in results { summary.add(result) }
                startNext()
            }
        }
        summary.duration = ContinuousClock.now - start
        manifest?.end(isComplete: summary.failedCount + summary.cancelledCount == 0)
        events.send(.ended(summary))
        events.finish()
    }

    /// - Returns: what was told already.
    private func run(_ work: BatchWork, _ items: [BatchItem]) async -> [FileResult] {
        if stop.reason != .cancelled { for item in items { events.send(.started(item)) } }
        let counters = work.job.recipes.indices.map { number in
            let item = work.numbers.firstIndex(of: number).map { items[$0] }
            return RowCounter { [events] rows in if let item { events.send(.progress(item, rows)) } }
        }
        let results = await work.job.run(in: pipeline, stop: stop, numbers: work.numbers, rowCounters: counters)
        for (item, result) in zip(items, results) { events.send(BatchEvent(item, result)) }
        return results
    }
}

extension FileResult {
    /// An input that could not even be found.
    package init(failed error: FileError) {
        let path: FilePath =
            switch error {
            case .missing(let path), .isDirectory(let path), .cannotRead(let path, _), .holdsNoImages(let path),
                .alreadyExists(let path), .isInput(let path), .takenByAnother(let path), .cannotWriteFormat(let path),
                .leavesFolder(let path, _),
                .isLink(let path), .cannotCreate(let path, _), .cannotWrite(let path, _):
                path
            }
        self.init(input: path)
        self.error = .file(error)
    }
}
