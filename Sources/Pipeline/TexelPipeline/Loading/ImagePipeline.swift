import Synchronization
import TexelCodecs
public import TexelCore
public import TexelPixels

/// Loads, decodes, processes and encodes images on its own threads.
///
///     let pipeline = ImagePipeline()
///     let thumbnail = try await pipeline.image(for: ImageRequest("photo.jpg", recipe: Recipe().resizing(width: 320)))
///
/// Equal requests at the same time are carried out once. Different requests share what they have in common: an input
/// is loaded once, and decoded once for all recipes that need the same scale and are waiting when the decode begins.
/// The most urgent request runs first, but none waits forever. The memory in use is limited by the workers' budget,
/// not by the number of requests. Swift's cooperative pool is never blocked.
public final class ImagePipeline: Sendable {
    /// The pipeline of the whole process: on ``WorkerPool/shared``, with a memory cache and without a disk cache.
    public static let shared = ImagePipeline()

    /// The resources of a pipeline.
    public struct Configuration: Sendable {
        /// The workers that decode, process and encode, within their budget of bytes.
        public var workers = WorkerPool.shared
        /// How many inputs from files or memory may be loaded and wait for their turn.
        public var readAhead = 2
        /// How many transfers may run, or have their bytes wait for their turn, at the same time.
        public var transfers = 6
        /// How many inputs may be decoded while their bytes arrive. Each one takes a thread that waits for the bytes;
        /// further inputs are decoded when they are complete.
        public var arrivals = 4
        /// The limit of the memory cache in bytes; 0 for no memory cache.
        public var memoryCacheLimit = 32 << 20
        /// The disk cache; `nil` for none.
        public var diskCache: DiskCache?
        /// Called if a result cannot be written to the disk cache; the result is delivered nevertheless.
        public var onDiskCacheError: (@Sendable (TexelError) -> Void)?

        /// Makes the default configuration.
        public init() {}
    }

    package let workers: WorkerPool
    let arrivals: WorkerPool
    private let caches: ResultCaches?
    private let loader: InputLoader
    /// `nil` if each request loads, decodes and makes its result by itself.
    let shared: SharedWork?
    private let begunDecodes = Atomic(0)

    /// Makes a pipeline.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, sharesWork: true)
    }

    private init(_ configuration: Configuration, sharesWork: Bool) {
        workers = configuration.workers
        arrivals = WorkerPool(width: configuration.arrivals, byteBudget: configuration.workers.byteBudget / 4)
        caches = ResultCaches(
            memoryLimit: configuration.memoryCacheLimit, disk: configuration.diskCache,
            onDiskError: configuration.onDiskCacheError)
        loader = InputLoader(
            readAhead: configuration.readAhead, transfers: configuration.transfers,
            byteBudget: min(32 << 20, configuration.workers.byteBudget / 8), arrivals: arrivals,
            digestsBytes: caches?.digestsBytes ?? false, isolation: configuration.workers.isolation)
        shared = sharesWork ? SharedWork(decodes: SharedDecodes(workers, arrivals: arrivals)) : nil
    }

    /// Makes a pipeline without caches, for callers that rarely repeat a request.
    ///
    /// - Parameter sharesWork: whether requests for the same input at the same time share its bytes and a decoder.
    package convenience init(workers: WorkerPool, sharesWork: Bool = false) {
        var configuration = Configuration()
        configuration.workers = workers
        configuration.memoryCacheLimit = 0
        self.init(configuration, sharesWork: sharesWork)
    }

    /// Makes results of bytes that only one caller has, on ``WorkerPool/shared``.
    package static let unshared = ImagePipeline(workers: .shared)

    // MARK: Requests

    /// Makes a request's image, without encoding it.
    ///
    /// Cancelling the calling task stops the work within a band of rows, unless another request shares it.
    ///
    /// - Throws: `TexelError`.
    public func image(for request: ImageRequest) async throws(TexelError) -> PixelBuffer {
        try await output(for: request, shared?.images)
    }

    /// Makes a request's image and encodes it.
    ///
    /// - Throws: `TexelError`.
    public func encodedImage(for request: ImageRequest) async throws(TexelError) -> EncodedImage {
        try await output(for: request, shared?.files)
    }

    private func output<Output: PipelineOutput>(
        for request: ImageRequest, _ jobs: SharedJobs<ImageRequest.Key, Output, ImageReports<Output>>?
    ) async throws(TexelError) -> Output {
        if let jobs { return try await task(for: request, jobs).value }
        return try await make(request, Urgency(request.priority), StopToken())
    }

    /// Starts to make an image.
    ///
    /// Releasing the task cancels its work, unless an equal request shares it. Keep the task, read its
    /// ``ImageTask/events`` or await its ``ImageTask/value``; ``ImageTask/keepRunning()`` lets the work finish without
    /// it.
    public func imageTask(for request: ImageRequest) -> ImageTask<PixelBuffer> {
        task(for: request, shared?.images)
    }

    /// Starts to make an encoded image. As with ``imageTask(for:)``, releasing the task cancels its work.
    public func encodedImageTask(for request: ImageRequest) -> ImageTask<EncodedImage> {
        task(for: request, shared?.files)
    }

    private func task<Output: PipelineOutput>(
        for request: ImageRequest, _ jobs: SharedJobs<ImageRequest.Key, Output, ImageReports<Output>>?
    ) -> ImageTask<Output> {
        let urgency = Urgency(request.priority)
        let membership = (jobs ?? SharedJobs()).join(request.key, urgency: urgency, reports: ImageReports()) {
            job throws(TexelError) in
            do throws(TexelError) {
                let output: Output = try await self.make(request, job.urgency, job.stop) { job.reports.send($0) }
                job.reports.send(.finished(.success(output)))
                return output
            } catch {
                job.reports.send(.finished(.failure(error)))
                throw error
            }
        }
        return ImageTask(request, urgency, membership)
    }

    /// Removes all results from both caches.
    public func removeCachedResults() async { await caches?.removeAll() }

    /// Counts of a pipeline's work since it was made.
    public struct Statistics: Sendable, Hashable {
        /// How many decoders have started; one may serve several requests.
        public var decodes = 0
        /// `nil` without a memory cache.
        public var memoryCache: MemoryCacheStatistics?
        /// `nil` without a disk cache.
        public var diskCache: DiskCacheStatistics?
    }

    /// The current counts.
    public var statistics: Statistics {
        let cached = caches?.statistics
        return Statistics(
            decodes: begunDecodes.load(ordering: .relaxed), memoryCache: cached?.memory, diskCache: cached?.disk)
    }

    /// Whether no work is running and no input is held.
    var isIdle: Bool { runningCount + (shared?.inputs.count ?? 0) == 0 }

    /// How many results are being made that requests can share.
    var runningCount: Int { shared.map { $0.images.count + $0.files.count } ?? 0 }

    /// How many runs wait for a decoder to start.
    var waitingForDecoder: Int { shared?.decodes.waitingCount ?? 0 }

    /// Counts a decoder that has started.
    @Sendable func countDecode() { begunDecodes.add(1, ordering: .relaxed) }

    // MARK: Work

    private func make<Output: PipelineOutput>(
        _ request: ImageRequest, _ urgency: Urgency, _ stop: StopToken,
        report: @escaping @Sendable (ImageTask<Output>.Event) -> Void = { _ in }
    ) async throws(TexelError) -> Output {
        if request.source.isLocal, let found: Output = try await cached(request, urgency, stop) { return found }
        return try await withInput(of: request, urgency) { input async throws(TexelError) -> Output in
            if !request.source.isLocal, let version = input.version,
                let found: Output = try await self.cached(request, version, urgency, stop)
            {
                return found
            }
            return try await self.make(request, of: input, urgency, stop, report: report)
        }
    }

    /// Makes a request's result from its input, which has been loaded.
    func make<Output: PipelineOutput>(
        _ request: ImageRequest, of input: LoadedInput, _ urgency: Urgency, _ stop: StopToken,
        report: @escaping @Sendable (ImageTask<Output>.Event) -> Void = { _ in }
    ) async throws(TexelError) -> Output {
        let runs = try await plan(
            Output.self, request, [request.recipe], input, urgency, stop,
            rowCounters: [RowCounter { report(.progress($0)) }])
        if request.deliversPreviews {
            do throws(TexelError) {
                try await deliverPreviews(of: runs[0], urgency) { report(.preview($0)) }
            } catch {
                throw input.cause(of: error)
            }
        }
        let outputs = try await carryOut(runs, urgency) {
            (_, output: Result<Output, TexelError>) throws(TexelError) in
            let output = try output.get()
            self.keep(output, request, input)
            return output
        }
        return outputs[0]
    }

    /// Calls `body` with a request's input, whose bytes are loaded and whose header has been parsed. Requests for the
    /// same input share it until `body` returns.
    package func withInput<Value: Sendable>(
        of request: ImageRequest, _ urgency: Urgency, _ body: (LoadedInput) async throws(TexelError) -> Value
    ) async throws(TexelError) -> Value {
        let (source, limits) = (request.source, request.policy.limits)
        guard let shared else {
            return try await body(try await loader.input(of: source, limits, urgency, StopToken()))
        }
        let loaded = shared.inputs.join(
            SharedWork.Input(identity: source.identity, limits: limits), urgency: urgency, reports: ()
        ) { job throws(TexelError) in
            try await self.loader.input(of: source, limits, job.urgency, job.stop)
        }
        defer { loaded.leave() }
        return try await body(try await loaded.output())
    }

    // MARK: Caches

    /// The cached result for a local input's current version, if there is one.
    private func cached<Output: PipelineOutput>(
        _ request: ImageRequest, _ urgency: Urgency, _ stop: StopToken
    ) async throws(TexelError) -> Output? {
        guard caches != nil, request.cacheUse == .full,
            let version = try await loader.version(of: request.source, limits: request.policy.limits)
        else { return nil }
        return try await cached(request, version, urgency, stop)
    }

    private func cached<Output: PipelineOutput>(
        _ request: ImageRequest, _ version: InputIdentity, _ urgency: Urgency, _ stop: StopToken
    ) async throws(TexelError) -> Output? {
        guard let caches, request.cacheUse == .full else { return nil }
        return try await caches.result(
            for: request.cacheKey(version, Output.kind), urgency: urgency, stop: stop)
    }

    private func keep<Output: PipelineOutput>(_ output: Output, _ request: ImageRequest, _ input: LoadedInput) {
        guard let caches, request.cacheUse != .none, let version = input.version else { return }
        caches.store(output, for: request.cacheKey(version, Output.kind))
    }
}
