import TexelCodecs
import TexelPixels

/// The pipeline's caches of results, in memory and on disk.
final class ResultCaches: Sendable {
    /// A result in the memory cache.
    enum Result: Sendable {
        case pixels(PixelBuffer)
        case file(EncodedImage)
    }

    private let memory: MemoryCache<CacheKey, Result>?
    private let disk: DiskCache?
    private let onDiskError: (@Sendable (CacheError) -> Void)?

    /// Returns `nil` if there is neither cache.
    init?(memoryLimit: Int, disk: DiskCache?, onDiskError: (@Sendable (CacheError) -> Void)?) {
        guard memoryLimit > 0 || disk != nil else { return nil }
        memory = memoryLimit > 0 ? MemoryCache(limit: memoryLimit) : nil
        self.disk = disk
        self.onDiskError = onDiskError
    }

    /// Whether the bytes of a source without a version are hashed: that is cheap compared with a disk access, but not
    /// with a lookup in memory.
    var namesBytes: Bool { disk != nil }

    /// Looks up a result; the disk is read on a thread that may block.
    func result<Output>(
        for key: CacheKey, _ caching: ResultCaching<Output>, urgency: Urgency, stop: StopToken
    ) async throws(PipelineError) -> Output? {
        if let found = memory?.value(for: key).flatMap(caching.unwrap) { return found }
        guard let disk else { return nil }
        let found = try await WorkerPool.files.run(bytes: { 0 }, urgency: urgency, stop: stop) {
            caching.find(disk, key)
        }
        if let found { keep(found, for: key, caching) }
        return found
    }

    /// Stores a result; blocks while it is written. A write error is reported through `onDiskError` only.
    func store<Output>(_ output: Output, for key: CacheKey, _ caching: ResultCaching<Output>) {
        keep(output, for: key, caching)
        guard let disk else { return }
        do throws(CacheError) {
            try caching.store(disk, output, key)
        } catch {
            onDiskError?(error)
        }
    }

    private func keep<Output>(_ output: Output, for key: CacheKey, _ caching: ResultCaching<Output>) {
        memory?.insert(caching.wrap(output), cost: caching.cost(output), for: key)
    }

    func removeAll() async {
        memory?.removeAll()
        guard let disk else { return }
        let outcome = await WorkerPool.files.run(bytes: 0) {
            Swift.Result { () throws(CacheError) in try disk.removeAll() }
        }
        if case .failure(let error) = outcome { onDiskError?(error) }
    }

    var statistics: (memory: MemoryCacheStatistics?, disk: DiskCacheStatistics?) {
        (memory?.statistics, disk?.statistics)
    }
}

/// How results of one kind are cached.
struct ResultCaching<Output: Sendable>: Sendable {
    let kind: CacheKey.Kind
    let wrap: @Sendable (Output) -> ResultCaches.Result
    let unwrap: @Sendable (ResultCaches.Result) -> Output?
    /// In bytes.
    let cost: @Sendable (Output) -> Int
    let find: @Sendable (DiskCache, CacheKey) -> Output?
    let store: @Sendable (DiskCache, Output, CacheKey) throws(CacheError) -> Void
}

extension ResultCaching<PixelBuffer> {
    static var pixels: ResultCaching {
        ResultCaching(
            kind: .pixelBuffer, wrap: { .pixels($0) },
            unwrap: { if case .pixels(let image) = $0 { image } else { nil } },
            cost: { $0.height * $0.bytesPerRow }, find: { $0.pixelBuffer(for: $1) },
            store: { disk, image, key throws(CacheError) in try disk.store(image, for: key) })
    }
}

extension ResultCaching<EncodedImage> {
    static var file: ResultCaching {
        ResultCaching(
            kind: .encodedImage, wrap: { .file($0) },
            unwrap: { if case .file(let image) = $0 { image } else { nil } },
            cost: { $0.bytes.count }, find: { $0.encodedImage(for: $1) },
            store: { disk, image, key throws(CacheError) in try disk.store(image, for: key) })
    }
}
