/// Many files through one recipe.
///
///     let batch = Batch(items, to: .directory("out"), recipe: recipe)
///     for await result in batch.results() { … }
public struct Batch: Sendable {
    private let jobs: [FileJob]
    private let pool: WorkerPool
    private let stop: StopToken

    /// - Parameters:
    ///   - pool: whose width and budget decide how much is done at the same time.
    ///   - stop: ends the batch early; files that are done stay.
    public init(
        _ items: [InputItem], to target: OutputTarget, recipe: Recipe,
        options: ProcessingOptions = ProcessingOptions(), pool: WorkerPool = .shared, stop: StopToken = StopToken()
    ) {
        let reservations = OutputReservations(inputs: items.filter { !$0.isStandardInput }.map(\.path))
        let destinations = OutputNaming.destinations(for: items, target: target, format: recipe.output.format)
        jobs = zip(items, destinations).map { item, destination in
            FileJob(
                item: item, destination: destination, recipe: recipe, options: options,
                isInPlace: target == .inPlace, makesDirectories: target.makesDirectories,
                reservations: reservations)
        }
        self.pool = pool
        self.stop = stop
    }

    /// The results in the order of the inputs, each as soon as it and those before it are there.
    public func results() -> AsyncStream<FileResult> {
        AsyncStream { continuation in
            // Set before the work begins: a stream that has finished without a handler calls a later one "cancelled".
            continuation.onTermination = { reason in
                if case .cancelled = reason { stop.cancel() }
            }
            Task {
                await run { continuation.yield($0) }
                continuation.finish()
            }
        }
    }

    private func run(_ deliver: (FileResult) -> Void) async {
        await withTaskGroup(of: (Int, FileResult).self) { group in
            var next = 0
            var delivered = 0
            var done: [Int: FileResult] = [:]
            func start() {
                guard next < jobs.count else { return }
                let index = next
                let job = jobs[index]
                next += 1
                group.addTask { (index, await job.run(on: pool, stop: stop)) }
            }
            // One more than there are workers: its file is read while the others compute.
            for _ in 0...pool.width { start() }
            while let (index, result) = await group.next() {
                done[index] = result
                while let result = done.removeValue(forKey: delivered) {
                    deliver(result)
                    delivered += 1
                }
                start()
            }
        }
    }
}
