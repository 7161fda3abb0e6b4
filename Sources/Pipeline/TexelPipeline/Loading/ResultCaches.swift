import TexelCodecs
import TexelCore
import TexelPixels

/// The pipeline's caches of results, in memory and on disk.
final class ResultCaches: Sendable {
    private let memory: MemoryCache<CacheKey, any CacheableOutput>?
    private let disk: DiskCache?
    private let onDiskError: (@Sendable (TexelError) -> Void)?

    /// Returns `nil` if there is neither cache.
    init?(memoryLimit: Int, disk: DiskCache?, onDiskError: (@Sendable (TexelError) -> Void)?) {
        guard memoryLimit > 0 || disk != nil else { return nil }
        memory = memoryLimit > 0 ? MemoryCache(limit: memoryLimit) : nil
        self.disk = disk
        self.onDiskError = onDiskError
    }

    /// Whether the bytes of a source without a version are hashed: that is cheap compared with a disk access, but not
    /// with a lookup in memory.
    var digestsBytes: Bool { disk != nil }

    /// Looks up a result; the disk is read on a thread that may block.
    func result<Output: CacheableOutput>(
        for key: CacheKey, urgency: Urgency, stop: StopToken
    ) async throws(TexelError) -> Output? {
        if let found = memory?.value(for: key) as? Output { return found }
        guard let disk else { return nil }
        let found = try await WorkerPool.files.run(bytes: { 0 }, urgency: urgency, stop: stop) {
            disk.output(for: key) as Output?
        }
        if let found { keep(found, for: key) }
        return found
    }

    /// Stores a result; blocks while it is written. A write error is reported through `onDiskError` only.
    func store(_ output: some CacheableOutput, for key: CacheKey) {
        keep(output, for: key)
        guard let disk else { return }
        do throws(TexelError) {
            _ = try disk.store(output: output, for: key)
        } catch {
            onDiskError?(error)
        }
    }

    private func keep(_ output: some CacheableOutput, for key: CacheKey) {
        memory?.insert(output, cost: output.cacheCost, for: key)
    }

    func removeAll() async {
        memory?.removeAll()
        guard let disk else { return }
        let outcome = await WorkerPool.files.run(bytes: 0) {
            Result { () throws(TexelError) in try disk.removeAll() }
        }
        if case .failure(let error) = outcome { onDiskError?(error) }
    }

    var statistics: (memory: MemoryCacheStatistics?, disk: DiskCacheStatistics?) {
        (memory?.statistics, disk?.statistics)
    }
}
