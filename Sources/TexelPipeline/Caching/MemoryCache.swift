import Synchronization

/// Keeps values in memory within a limit of bytes; those that were not used for the longest time go first.
///
/// Every call takes the same time, however much is kept. Values leave the cache outside its lock, so that whatever
/// happens at their end may call the cache.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: the sum of all costs, in bytes, at most.
    ///   - largestShare: the part of the limit that one value may cost, 0…1; a larger value would drive out too many
    ///     others, and is not kept.
    public init(limit: Int, largestShare: Double = 0.25) {
        state = Mutex(State(limit: Self.possible(limit), largestShare: min(max(0, largestShare), 1)))
    }

    /// So that two limits can be added.
    private static func possible(_ limit: Int) -> Int { min(max(0, limit), .max / 2) }

    /// The sum of all costs, in bytes, at most. A lower limit takes effect at once.
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

    /// The value kept under `key`, which was used now.
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

    /// Keeps a value, in the place of what was kept under the same key.
    ///
    /// - Parameter cost: bytes, at least 0.
    /// - Returns: whether it is kept: a value that costs more than its share of the limit is not.
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

    @discardableResult
    public func removeValue(for key: Key) -> Value? { state.withLock { $0.remove(key) } }

    public func removeAll() {
        let leaving = state.withLock { $0.removeAll() }
        _ = consume leaving
    }

    public var statistics: MemoryCacheStatistics { state.withLock { $0.statistics } }

    /// The nodes form a ring in the order of their last use, as places in an array: no object for each value. The first
    /// node lies between the newest and the oldest.
    private struct State: Sendable {
        struct Content: Sendable {
            var key: Key
            var value: Value
            var cost: Int
        }

        struct Node: Sendable {
            /// `nil` in the first node and in free ones.
            var content: Content?
            /// Used before this one; of a free node, the next free one.
            var older: Int
            var newer: Int
        }

        var limit: Int
        let largestShare: Double
        var places: [Key: Int] = [:]
        var nodes = [Node(content: nil, older: 0, newer: 0)]
        /// The first of the free nodes; 0 where there is none.
        var free = 0
        var statistics = MemoryCacheStatistics()

        init(limit: Int, largestShare: Double) {
            self.limit = limit
            self.largestShare = largestShare
        }

        /// What one value may cost.
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

        /// Removes the oldest until the rest is within the limit.
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

/// What a ``MemoryCache`` holds, and how it was used since it was made.
public struct MemoryCacheStatistics: Sendable, Hashable {
    public var hits = 0
    public var misses = 0
    /// Values that had to make room.
    public var evictions = 0
    /// The sum of the costs of what is kept, in bytes.
    public var cost = 0
    /// How many values are kept.
    public var count = 0
}
