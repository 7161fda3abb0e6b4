import Synchronization

/// Keeps values in memory within a limit of bytes, and evicts the least recently used ones first.
///
/// Lookups, insertions and single removals take constant time. Values are released outside the lock, so their
/// deinitialisers may call the cache.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let state: Mutex<State>

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - limit: the maximum sum of all costs in bytes.
    ///   - largestShare: the fraction of the limit, 0…1, that one value may cost; a larger value would evict too many
    ///     others, and is not kept.
    public init(limit: Int, largestShare: Double = 0.25) {
        state = Mutex(State(limit: Self.possible(limit), largestShare: min(max(0, largestShare), 1)))
    }

    /// Bounds a limit so that the sum of two does not overflow.
    private static func possible(_ limit: Int) -> Int { min(max(0, limit), .max / 2) }

    /// The maximum sum of all costs in bytes. A lower limit takes effect at once.
    public var limit: Int {
        get { state.withLock { $0.limit } }
        set {
            let evicted = state.withLock { state in
                state.limit = Self.possible(newValue)
                return state.evict()
            }
            _ = consume evicted
        }
    }

    /// Looks up a value, and marks it as used.
    public func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let index = state.places[key] else {
                state.statistics.misses += 1
                return nil
            }
            state.statistics.hits += 1
            state.moveToFront(index)
            return state.nodes[index].content?.value
        }
    }

    /// Inserts a value, and replaces the one with the same key.
    ///
    /// - Parameters:
    ///   - value: the value to keep.
    ///   - cost: its cost in bytes, at least 0.
    ///   - key: the value's key.
    /// - Returns: whether it was kept; a value that costs more than its share of the limit is not.
    @discardableResult
    public func insert(_ value: Value, cost: Int, for key: Key) -> Bool {
        let (isKept, leaving) = state.withLock { state in
            var leaving: [Value] = []
            if let old = state.remove(key) { leaving.append(old) }
            let cost = max(0, cost)
            guard cost <= state.largestCost else { return (false, leaving) }
            state.insert(State.Content(key: key, value: value, cost: cost))
            leaving += state.evict()
            return (true, leaving)
        }
        _ = consume leaving
        return isKept
    }

    /// Removes and returns a value.
    @discardableResult
    public func removeValue(for key: Key) -> Value? { state.withLock { $0.remove(key) } }

    /// Removes all values.
    public func removeAll() {
        let leaving = state.withLock { $0.removeAll() }
        _ = consume leaving
    }

    /// The current counts.
    public var statistics: MemoryCacheStatistics { state.withLock { $0.statistics } }

    /// The nodes form a ring in order of last use, as indices into an array, so that values need no objects. Node 0
    /// is a sentinel between the newest and the oldest.
    private struct State: Sendable {
        struct Content: Sendable {
            var key: Key
            var value: Value
            var cost: Int
        }

        struct Node: Sendable {
            /// `nil` in node 0 and in free nodes.
            var content: Content?
            /// The node used before this one; in a free node, the next free one.
            var older: Int
            var newer: Int
        }

        var limit: Int
        let largestShare: Double
        var places: [Key: Int] = [:]
        var nodes = [Node(content: nil, older: 0, newer: 0)]
        /// The first free node; 0 if there is none.
        var free = 0
        var statistics = MemoryCacheStatistics()

        init(limit: Int, largestShare: Double) {
            self.limit = limit
            self.largestShare = largestShare
        }

        /// The largest cost of one value.
        var largestCost: Int { largestShare == 1 ? limit : Int(Double(limit) * largestShare) }

        mutating func moveToFront(_ index: Int) {
            unlink(index)
            linkToFront(index)
        }

        mutating func insert(_ content: Content) {
            let index: Int
            if free == 0 {
                index = nodes.count
                nodes.append(Node(content: content, older: 0, newer: 0))
            } else {
                index = free
                free = nodes[index].older
                nodes[index].content = content
            }
            linkToFront(index)
            places[content.key] = index
            statistics.cost += content.cost
            statistics.count += 1
        }

        mutating func remove(_ key: Key) -> Value? {
            guard let index = places.removeValue(forKey: key), let content = nodes[index].content else { return nil }
            unlink(index)
            nodes[index] = Node(content: nil, older: free, newer: 0)
            free = index
            statistics.cost -= content.cost
            statistics.count -= 1
            return content.value
        }

        /// Removes the oldest values until the rest is within the limit.
        mutating func evict() -> [Value] {
            var evicted: [Value] = []
            while statistics.cost > limit, let oldest = nodes[nodes[0].newer].content {
                if let value = remove(oldest.key) { evicted.append(value) }
                statistics.evictions += 1
            }
            return evicted
        }

        mutating func removeAll() -> [Value] {
            let values = nodes.compactMap { $0.content?.value }
            places = [:]
            nodes = [Node(content: nil, older: 0, newer: 0)]
            free = 0
            statistics.cost = 0
            statistics.count = 0
            return values
        }

        private mutating func unlink(_ index: Int) {
            let node = nodes[index]
            nodes[node.older].newer = node.newer
            nodes[node.newer].older = node.older
        }

        private mutating func linkToFront(_ index: Int) {
            let newest = nodes[0].older
            nodes[index].older = newest
            nodes[index].newer = 0
            nodes[newest].newer = index
            nodes[0].older = index
        }
    }
}

/// The contents of a ``MemoryCache``, and counts since it was made.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// Lookups that found a value.
    public var hits = 0
    /// Lookups that found none.
    public var misses = 0
    /// Values removed to make room.
    public var evictions = 0
    /// The sum of all costs in bytes.
    public var cost = 0
    /// How many values there are.
    public var count = 0
}
