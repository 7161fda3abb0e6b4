#if HTTP
    public import TexelCodecs
    import Synchronization

    /// A cache of downloaded originals.
    ///
    /// A store may evict entries at any time; the loader then requests them again.
    public protocol ResponseCache: Sendable {
        /// Returns the original stored for an address.
        func original(for address: HTTPAddress) async -> CachedResponse?
        /// Stores an original and replaces the previous one.
        func keep(_ original: CachedResponse, for address: HTTPAddress) async
        /// Updates the metadata of an original that the server reported as unchanged.
        func renew(_ head: CachedResponseHead, for address: HTTPAddress) async
        /// Removes the original stored for an address.
        func remove(_ address: HTTPAddress) async
    }

    /// A downloaded original.
    public struct CachedResponse: Sendable {
        /// Its cache metadata.
        public var head: CachedResponseHead
        /// Its bytes.
        public var bytes: InputBytes

        /// Creates an original.
        public init(head: CachedResponseHead, bytes: InputBytes) {
            self.head = head
            self.bytes = bytes
        }
    }

    /// The cache metadata of a stored original.
    public struct CachedResponseHead: Sendable, Hashable, Codable {
        /// The entity tag of the version, as the server sent it.
        public var entityTag: String?
        /// The `Last-Modified` field, as the server sent it.
        public var lastModified: String?
        /// How long the original may be used without asking the server, in seconds since 1970.
        public var freshUntil: Int
        /// Whether the server forbids the use of the original after that without revalidation.
        public var mustRevalidate: Bool

        /// Creates metadata.
        public init(entityTag: String?, lastModified: String?, freshUntil: Int, mustRevalidate: Bool) {
            self.entityTag = entityTag
            self.lastModified = lastModified
            self.freshUntil = freshUntil
            self.mustRevalidate = mustRevalidate
        }
    }

    /// Stores originals in memory. Evicts the least recently used ones.
    public final class MemoryResponseCache: ResponseCache {
        private let byteLimit: Int
        private let state = Mutex(State())

        private struct State {
            var originals: [HTTPAddress: (original: CachedResponse, use: Int)] = [:]
            var bytes = 0
            var uses = 0

            mutating func remove(_ address: HTTPAddress) {
                if let old = originals.removeValue(forKey: address) { bytes -= old.original.bytes.count }
            }
        }

        /// Creates a store.
        ///
        /// - Parameter byteLimit: The maximum number of bytes stored.
        public init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

        public func original(for address: HTTPAddress) async -> CachedResponse? {
            state.withLock { state in
                state.uses += 1
                state.originals[address]?.use = state.uses
                return state.originals[address]?.original
            }
        }

        public func keep(_ original: CachedResponse, for address: HTTPAddress) async {
            state.withLock { state in
                state.remove(address)
                guard original.bytes.count <= byteLimit else { return }
                state.uses += 1
                state.originals[address] = (original, state.uses)
                state.bytes += original.bytes.count
                while state.bytes > byteLimit, let oldest = state.originals.min(by: { $0.value.use < $1.value.use }) {
                    state.remove(oldest.key)
                }
            }
        }

        public func renew(_ head: CachedResponseHead, for address: HTTPAddress) async {
            state.withLock { $0.originals[address]?.original.head = head }
        }

        public func remove(_ address: HTTPAddress) async {
            state.withLock { $0.remove(address) }
        }
    }
#endif
