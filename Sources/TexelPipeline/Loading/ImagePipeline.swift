import TexelCodecs
public import TexelPixels

/// Turns requests into pictures, on threads of its own: loads, decodes, carries out recipes and encodes.
///
///     let pipeline = ImagePipeline()
///     let thumbnail = try await pipeline.image(for: ImageRequest("photo.jpg", recipe: Recipe().resizing(width: 320)))
///
/// Equal requests at the same time are done once. So is what different requests have in common: an input is loaded
/// once, and decoded once for all recipes that want it at the same scale before its turn has come. Who is more urgent
/// comes first, and nobody waits for ever. How much is in memory is limited by the workers' budget, not by how much is
/// asked for. Nothing blocks Swift's cooperative pool.
public final class ImagePipeline: Sendable {
    /// For a program that needs only one; on ``WorkerPool/shared``, without a cache on disk.
    public static let shared = ImagePipeline()

    public struct Configuration: Sendable {
        /// Do the work, within their budget of decoded bytes.
        public var workers = WorkerPool.shared
        /// How many files and blocks of memory may wait in memory for their turn.
        public var readAhead = 2
        /// How many transfers may go on at the same time, and wait for their turn afterwards.
        public var transfers = 6
        /// How many inputs may be decoded while their bytes arrive. Each has a thread, which waits for them; others
        /// are decoded when they are there.
        public var arrivals = 4
        /// Bytes of results that stay in memory; 0 keeps none.
        public var memoryCacheLimit = 32 << 20
        /// Where results stay on a disk.
        public var diskCache: DiskCache?
        /// Told when the disk does not take a result; the result is delivered all the same.
        public var onDiskCacheError: (@Sendable (CacheError) -> Void)?

        public init() {}
    }

    let workers: WorkerPool
    let arrivals: WorkerPool
    private let caches: ResultCaches?
    private let loader: InputLoader
    let decodes: SharedDecodes
    private let pictures = SharedJobs<ImageRequest.Key, PixelBuffer, ImageReports<PixelBuffer>>()
    private let files = SharedJobs<ImageRequest.Key, EncodedImage, ImageReports<EncodedImage>>()

    public init(_ configuration: Configuration = Configuration()) {
        workers = configuration.workers
        arrivals = WorkerPool(width: configuration.arrivals, byteBudget: configuration.workers.byteBudget / 4)
        caches = ResultCaches(
            memoryLimit: configuration.memoryCacheLimit, disk: configuration.diskCache,
            onDiskError: configuration.onDiskCacheError)
        loader = InputLoader(
            readAhead: configuration.readAhead, transfers: configuration.transfers,
            byteBudget: min(32 << 20, configuration.workers.byteBudget / 8), arrivals: arrivals,
            namesBytes: caches?.namesBytes ?? false, isolation: configuration.workers.isolation)
        decodes = SharedDecodes(configuration.workers, arrivals: arrivals)
    }

    /// Without caches, for those who ask for nothing twice.
    package convenience init(workers: WorkerPool) {
        var configuration = Configuration()
        configuration.workers = workers
        configuration.memoryCacheLimit = 0
        self.init(configuration)
    }

    // MARK: Requests

    /// The picture that a request's recipe makes, without encoding it.
    ///
    /// Cancelling the Swift task that waits stops the work within a band of rows, unless others want the same.
    ///
    /// - Throws: `PipelineError`.
    public func image(for request: ImageRequest) async throws(PipelineError) -> PixelBuffer {
        try await imageTask(for: request).value
    }

    /// The file that a request's recipe makes, as bytes.
    ///
    /// - Throws: `PipelineError`.
    public func encodedImage(for request: ImageRequest) async throws(PipelineError) -> EncodedImage {
        try await encodedImageTask(for: request).value
    }

    /// Begins to make an image.
    ///
    /// Releasing the task cancels its work, unless an equal request shares it. Keep the task, read its
    /// ``ImageTask/events`` or await its ``ImageTask/value``; ``ImageTask/keepRunning()`` lets the work finish without
    /// it.
    public func imageTask(for request: ImageRequest) -> ImageTask<PixelBuffer> { task(for: request, .pixels, pictures) }

    /// Begins to make a file. As with ``imageTask(for:)``, releasing the task cancels its work.
    public func encodedImageTask(for request: ImageRequest) -> ImageTask<EncodedImage> {
        task(for: request, .file, files)
    }

    private func task<Output>(
        for request: ImageRequest, _ kind: OutputKind<Output>,
        _ jobs: SharedJobs<ImageRequest.Key, Output, ImageReports<Output>>
    ) -> ImageTask<Output> {
        let urgency = Urgency(request.priority)
        let membership = jobs.join(request.key, urgency: urgency, reports: ImageReports()) {
            job throws(PipelineError) in
            do throws(PipelineError) {
                let output = try await self.make(kind, request, job.urgency, job.stop, job.reports)
                job.reports.send(.finished(.success(output)))
                return output
            } catch {
                job.reports.send(.finished(.failure(error)))
                throw error
            }
        }
        return ImageTask(request, urgency, membership)
    }

    /// Forgets all results in the caches.
    public func removeCachedResults() async { await caches?.removeAll() }

    /// What the pipeline has done since it was made.
    public struct Statistics: Sendable, Hashable {
        /// Pictures whose decoding began; one may serve several requests.
        public var decodes = 0
        /// `nil` without such a cache.
        public var memoryCache: MemoryCacheStatistics?
        public var diskCache: DiskCacheStatistics?
    }

    public var statistics: Statistics {
        let cached = caches?.statistics
        return Statistics(decodes: decodes.count, memoryCache: cached?.memory, diskCache: cached?.disk)
    }

    /// Whether nothing is under way.
    var isIdle: Bool { runningCount + loader.count == 0 }

    /// How many pieces of work are under way.
    var runningCount: Int { pictures.count + files.count }

    /// How many wait for a decoder to begin.
    var waitingForDecoder: Int { decodes.waitingCount }

    // MARK: Work

    private func make<Output>(
        _ kind: OutputKind<Output>, _ request: ImageRequest, _ urgency: Urgency, _ stop: StopToken,
        _ reports: ImageReports<Output>
    ) async throws(PipelineError) -> Output {
        if request.source.isLocal, let found = try await cached(kind, request, urgency, stop) { return found }
        let loaded = load(request, urgency)
        // Until the end, so that whoever asks for the same input meanwhile finds it.
        defer { loaded.leave() }
        let input = try await loaded.output()
        if !request.source.isLocal, let version = input.version,
            let found = try await cached(kind, request, version, urgency, stop)
        {
            return found
        }
        let rowCounter = RowCounter { reports.send(.progress($0)) }
        let run = try plan(kind, request, input, StopToken(parent: stop, timeout: request.timeout), rowCounter)
        if request.deliversPreviews, input.isolated == nil {
            do throws(PipelineError) {
                try await deliverPreviews(of: run, urgency) { reports.send(.preview($0)) }
            } catch {
                throw input.cause(of: error)
            }
        }
        return try await carryOut(kind, run, urgency) { output in self.keep(output, kind, request, input) }
    }

    /// Gets a request's input into memory.
    func load(_ request: ImageRequest, _ urgency: Urgency) -> InputLoader.Loaded {
        loader.load(request.source, limits: request.limits, urgency: urgency)
    }

    /// Plans what a request asks for.
    func plan<Output>(
        _ kind: OutputKind<Output>, _ request: ImageRequest, _ input: LoadedInput, _ stop: StopToken,
        _ rowCounter: RowCounter, largestShrink: Int = 8
    ) throws(PipelineError) -> RecipeRun {
        let info = input.source.info
        let plan = try PipelineError.wrapping { () throws(PixelBufferError) in
            try Planner.plan(
                request.recipe, for: info, format: kind.format(request.recipe, info), routes: kind.routes,
                largestShrink: largestShrink)
        }
        try PipelineError.wrapping { () throws(CodecError) in try request.limits.check(plan.largestSize) }
        return RecipeRun(
            input: input, recipe: request.recipe, plan: plan, limits: request.limits,
            strictness: request.strictness, stop: stop, parallelism: { [workers] in workers.threadsForOne },
            rowCounter: rowCounter)
    }

    /// Carries out a plan when it is its turn.
    ///
    /// - Parameter keep: called with the result on the thread that made it; what it throws is what the work comes to.
    func carryOut<Output>(
        _ kind: OutputKind<Output>, _ run: RecipeRun, _ urgency: Urgency,
        keep: @escaping @Sendable (Output) throws(PipelineError) -> Void
    ) async throws(PipelineError) -> Output {
        do throws(PipelineError) {
            if let isolated = run.input.isolated {
                let outputs = try await carryOut(kind, [run], on: isolated, urgency) {
                    _, output throws(PipelineError) in
                    let output = try output.get()
                    try keep(output)
                    return output
                }
                return outputs[0]
            }
            guard run.processor.beginsWithPixels else {
                return try await run.input.run(
                    on: workers, arrivals: arrivals, bytes: { run.plan.estimatedBytes }, urgency: urgency,
                    stop: run.stop
                ) { () throws(PipelineError) in
                    self.decodes.countOther()
                    let output = try kind.carryOut(run)
                    try keep(output)
                    return output
                }
            }
            run.processor.expectPixels()
            let outputs = try await decodes.run([run], urgency: urgency) {
                // Handed on, not held: an encoder lets go of the pixels before it is done.
                (_, image: consuming DecodedImage) throws(PipelineError) in
                let output = try kind.finish(run, image)
                try keep(output)
                return output
            }
            return outputs[0]
        } catch {
            throw run.input.cause(of: error)
        }
    }

    // MARK: Caches

    /// What is kept of a local input's present version.
    private func cached<Output>(
        _ kind: OutputKind<Output>, _ request: ImageRequest, _ urgency: Urgency, _ stop: StopToken
    ) async throws(PipelineError) -> Output? {
        guard caches != nil, request.cacheUse == .full,
            let version = try await loader.version(of: request.source, limits: request.limits)
        else { return nil }
        return try await cached(kind, request, version, urgency, stop)
    }

    private func cached<Output>(
        _ kind: OutputKind<Output>, _ request: ImageRequest, _ version: InputIdentity, _ urgency: Urgency,
        _ stop: StopToken
    ) async throws(PipelineError) -> Output? {
        guard let caches, request.cacheUse == .full else { return nil }
        return try await caches.result(
            for: request.cacheKey(version, kind.caching.kind), kind.caching, urgency: urgency, stop: stop)
    }

    private func keep<Output>(
        _ output: Output, _ kind: OutputKind<Output>, _ request: ImageRequest, _ input: LoadedInput
    ) {
        guard let caches, request.cacheUse != .none, let version = input.version else { return }
        caches.store(output, for: request.cacheKey(version, kind.caching.kind), kind.caching)
    }
}
