#if HTTP
    import TexelCodecs
    import TexelOperations
    public import TexelPipeline

    /// Stores originals in a disk cache that processes can share.
    public struct DiskResponseCache: ResponseCache {
        private let cache: DiskCache

        /// Creates a store.
        ///
        /// - Parameter cache: The cache, which may hold results as well.
        public init(_ cache: DiskCache) { self.cache = cache }

        public func original(for address: HTTPAddress) async -> CachedResponse? {
            await onFileWorker { cache in
                guard let entry = cache.entry(for: Self.key(address)),
                    let head = try? MessageDecoder.decode(CachedResponseHead.self, from: entry.metadata)
                else { return nil }
                return CachedResponse(head: head, bytes: entry.content)
            }
        }

        /// Stores an original. Write errors are ignored, and the original is then not stored.
        public func keep(_ original: CachedResponse, for address: HTTPAddress) async {
            await onFileWorker { cache in
                guard let metadata = try? MessageEncoder.encode(original.head) else { return }
                _ = try? cache.store(metadata: metadata, content: original.bytes, for: Self.key(address))
            }
        }

        public func renew(_ head: CachedResponseHead, for address: HTTPAddress) async {
            guard let original = await original(for: address) else { return }
            await keep(CachedResponse(head: head, bytes: original.bytes), for: address)
        }

        public func remove(_ address: HTTPAddress) async {
            await onFileWorker { $0.remove(for: Self.key(address)) }
        }

        private static func key(_ address: HTTPAddress) -> CacheKey {
            CacheKey(digest: ContentDigest(of: Array("Texel original \(address)".utf8)))
        }

        private func onFileWorker<Value: Sendable>(
            _ body: @escaping @Sendable (DiskCache) -> Value
        ) async -> Value {
            await WorkerPool.files.run(bytes: 0) { [cache] in body(cache) }
        }
    }
#endif
