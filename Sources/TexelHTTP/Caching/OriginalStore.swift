#if HTTP
    public import TexelCodecs
    import Synchronization

    /// Keeps what servers sent, so that it need not be sent again.
    ///
    /// A store may forget whenever it likes; a loader that finds nothing asks the server.
    public protocol OriginalStore: Sendable {
        /// What is kept under an address.
        func original(for address: HTTPAddress) async -> StoredOriginal?
        /// Keeps the bytes in the place of those that were there.
        func keep(_ original: StoredOriginal, for address: HTTPAddress) async
        /// The bytes that are kept are still the server's; only their head has changed.
        func renew(_ head: OriginalHead, for address: HTTPAddress) async
        func remove(_ address: HTTPAddress) async
    }

    /// Bytes that a server sent once.
    public struct StoredOriginal: Sendable {
        public var head: OriginalHead
        public var bytes: InputBytes

        public init(head: OriginalHead, bytes: InputBytes) {
            self.head = head
            self.bytes = bytes
        }
    }

    /// What a server said of bytes that are kept.
    public struct OriginalHead: Sendable, Hashable, Codable {
        /// Names the version, as the server wrote it.
        public var entityTag: String?
        public var lastModified: String?
        /// Until when nobody needs to ask, in seconds since 1970.
        public var freshUntil: Int
        /// Whether the server forbids to use the bytes after that without asking.
        public var mustRevalidate: Bool

        public init(entityTag: String?, lastModified: String?, freshUntil: Int, mustRevalidate: Bool) {
            self.entityTag = entityTag
            self.lastModified = lastModified
            self.freshUntil = freshUntil
            self.mustRevalidate = mustRevalidate
        }
    }

    /// Keeps originals in memory, the least recently used go first.
    public final class InMemoryOriginalStore: OriginalStore {
        private let byteLimit: Int
        private let state = Mutex(State())

        private struct State {
            var originals: [HTTPAddress: (original: StoredOriginal, use: Int)] = [:]
            var bytes = 0
            var uses = 0

            mutating func remove(_ address: HTTPAddress) {
                if let old = originals.removeValue(forKey: address) { bytes -= old.original.bytes.count }
            }
        }

        /// - Parameter byteLimit: how many bytes are kept at most.
        public init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

        public func original(for address: HTTPAddress) async -> StoredOriginal? {
            state.withLock { state in
                state.uses += 1
                state.originals[address]?.use = state.uses
                return state.originals[address]?.original
            }
        }

        public func keep(_ original: StoredOriginal, for address: HTTPAddress) async {
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

        public func renew(_ head: OriginalHead, for address: HTTPAddress) async {
            state.withLock { $0.originals[address]?.original.head = head }
        }

        public func remove(_ address: HTTPAddress) async {
            state.withLock { $0.remove(address) }
        }
    }
#endif
