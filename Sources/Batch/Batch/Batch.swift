import Synchronization
import SystemPackage
import TexelCodecs
public import TexelCore
public import TexelPipeline

/// Processes many files with a recipe, once.
///
///     let batch = Batch(items, to: .directory("out"), recipe: recipe)
///     for await result in batch.results() { … }
///
/// ``events`` reports the progress to any number of listeners; ``results()`` is one view of it.
public final class Batch: Sendable {
    /// The events of the batch. Listeners may be added before the work starts, while it runs and after its end; none
    /// of them can delay it.
    public let events = Broadcast<BatchEvent>(keeping: \.isKept)

    /// One item for each result; those of the failures come first.
    private let items: [BatchItem]
    /// The results of the first items, whose inputs were not found.
    private let failures: [FileResult]
    /// The work of the other items.
    private let works: [(work: BatchWork, items: [BatchItem])]
    /// How many results an earlier batch has left; they have no items.
    private let resumedCount: Int
    private let otherFileCount: Int
    private let store: any OutputStore
    private let options: ProcessingOptions
    private let pipeline: ImagePipeline
    private let width: Int
    private let manifest: BatchManifest?
    private let stop: StopToken
    private let hasBegun = Atomic(false)
    private let end = Mutex<BatchSummary?>(nil)

    /// Makes a batch with one result for each input.
    ///
    /// - Parameters:
    ///   - items: the inputs.
    ///   - failures: inputs that could not be found; they become the first items, and fail at once.
    ///   - store: where results are written.
    ///   - recipe: what to do with each image.
    ///   - options: how files are processed.
    ///   - pool: its width and byte budget limit the concurrent work.
    ///   - stop: ends the batch early; outputs written before are kept.
    public convenience init(
        _ items: [InputItem], failures: [TexelError] = [], to store: some OutputStore, recipe: Recipe,
        options: ProcessingOptions = ProcessingOptions(), pool: WorkerPool = .shared, stop: StopToken = StopToken()
    ) {
        self.init(
            items, failures: failures, to: store, recipes: [recipe], options: options, pool: pool, stop: stop)
    }

    /// Makes a batch with several results for each input, such as the widths of a page's `srcset`, from one decode.
    /// Each result is an item; in a directory, and beside the input, its width is part of its name.
    ///
    /// - Parameters:
    ///   - items: the inputs.
    ///   - failures: inputs that could not be found; they become the first items, and fail at once.
    ///   - otherFileCount: the number of files found that are not images, for the summary.
    ///   - store: where results are written.
    ///   - recipes: the recipe of each result.
    ///   - options: how files are processed.
    ///   - manifest: the manifest of the directory for the results.
    ///   - pool: its width and byte budget limit the concurrent work.
    ///   - stop: ends the batch early; outputs written before are kept.
    public init(
        _ items: [InputItem], failures: [TexelError] = [], otherFileCount: Int = 0, to store: some OutputStore,
        recipes: [Recipe], options: ProcessingOptions = ProcessingOptions(), manifest: BatchManifest? = nil,
        pool: WorkerPool = .shared, stop: StopToken = StopToken()
    ) {
        self.failures = failures.map { FileResult(failed: $0) }
        let works = BatchWork.all(items, store, recipes, options, manifest)
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
        self.store = store
        self.options = options
        pipeline = ImagePipeline(workers: pool)
        width = pool.width
        self.manifest = manifest
        self.stop = stop
    }

    /// Starts the work, unless it has been started.
    public func start() {
        guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
        let work = Task { await run() }
        stop.whenCancelled { work.cancel() }
    }

    /// The summary of the whole batch; `nil` until it has ended.
    public var summary: BatchSummary? { end.withLock(\.self) }

    /// The summary before any item has ended.
    public var emptySummary: BatchSummary { BatchSummary(resumedCount: resumedCount, otherFileCount: otherFileCount) }

    /// Starts the work and returns the results in the order of the inputs.
    public func results() -> BatchResults {
        let results = BatchResults(events, stop)
        start()
        return results
    }

    // MARK: Work

    /// The progress of the batch, shared by its threads.
    private final class Progress: Sendable {
        private let begunCount = Atomic(0)
        private let sum: Mutex<BatchSummary>

        init(_ summary: BatchSummary) { sum = Mutex(summary) }

        var summary: BatchSummary { sum.withLock(\.self) }

        /// The index of the next input; `nil` if all have begun.
        func next(below count: Int) -> Int? {
            let index = begunCount.add(1, ordering: .relaxed).oldValue
            return index < count ? index : nil
        }

        func add(_ results: [FileResult]) {
            sum.withLock { sum in for result in results { sum.add(result) } }
        }
    }

    private func run() async {
        let start = ContinuousClock.now
        events.send(.queued(items))
        let progress = Progress(emptySummary)
        for (item, failure) in zip(items, failures) {
            events.send(.started(item))
            events.send(.failed(item, failure))
            progress.add([failure])
        }
        var storeErrors: [TexelError] = []
        do throws(TexelError) {
            if !options.isDryRun, !works.isEmpty {
                try await store.begin(works.map(\.work.job.item), options: options, stop: stop)
            }
            await processAll(progress)
            storeErrors = await store.finish()
        } catch {
            failAll(error, progress)
        }
        var summary = progress.summary
        summary.storeErrors = storeErrors
        summary.duration = ContinuousClock.now - start
        manifest?.end(isComplete: summary.failedCount + summary.cancelledCount == 0)
        end.withLock { [summary] in $0 = summary }
        events.send(.ended(summary))
        events.finish()
    }

    /// Ends all items with the error of the store.
    private func failAll(_ error: TexelError, _ progress: Progress) {
        for (work, items) in works {
            for (item, number) in zip(items, work.numbers) {
                var result = FileResult(input: item.input)
                (result.name, result.recipeIndex, result.error) = (item.name, number, error)
                events.send(BatchEvent(item, result))
                progress.add([result])
            }
        }
    }

    private func processAll(_ progress: Progress) async {
        // Files are read, processed and written on these threads.
        let threads = BlockingThreads(count: width)
        await withDiscardingTaskGroup { group in
            // One more than there are threads, so that a thread has something to do while an input arrives; no more
            // than inputs, so that threads without one are idle from the start.
            for _ in 0..<min(width + 1, works.count) {
                group.addTask(executorPreference: threads) { await self.run(progress) }
            }
        }
        threads?.end()
    }

    /// Processes one input after another while there are any.
    private func run(_ progress: Progress) async {
        var last = Duration.zero
        while let index = progress.next(below: works.count) {
            // The system reads the next input meanwhile, unless that would take longer than processing it.
            if last > Self.worthReadingAhead, index + width < works.count {
                let item = works[index + width].work.job.item
                if let path = item.filePath { InputReader.readAhead(path) }
            }
            await store.waitForRoom(forItemAt: index)
            let results = await run(works[index].work, works[index].items)
            store.end(itemAt: index)
            progress.add(results)
            last = results.first?.duration ?? .zero
        }
    }

    private static let worthReadingAhead = Duration.milliseconds(2)

    /// - Returns: the results, whose events have been sent.
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
    /// The result of an input that could not be found.
    package init(failed error: TexelError) {
        self.init(input: FilePath(error.place.input ?? ""))
        self.error = error
    }
}
