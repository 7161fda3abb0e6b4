import TestSupport
import Testing

@testable import TexelPipeline

/// The memory cache.
@Suite(.timeLimit(.minutes(30))) struct MemoryCacheTests {
    /// A straightforward model of the same rules.
    private struct Model {
        var limit: Int
        var share: Double
        /// The oldest first.
        var entries: [(key: Int, value: Int, cost: Int)] = []
        var statistics = MemoryCacheStatistics()

        mutating func value(for key: Int) -> Int? {
            guard let index = entries.firstIndex(where: { $0.key == key }) else {
                statistics.misses += 1
                return nil
            }
            statistics.hits += 1
            entries.append(entries.remove(at: index))
            return entries.last?.value
        }

        mutating func insert(_ value: Int, cost: Int, for key: Int) -> Bool {
            _ = removeValue(for: key)
            guard Double(cost) <= Double(limit) * share else { return false }
            entries.append((key, value, cost))
            evict()
            return true
        }

        mutating func removeValue(for key: Int) -> Int? {
            entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).value }
        }

        mutating func evict() {
            while entries.reduce(0, { $0 + $1.cost }) > limit {
                entries.removeFirst()
                statistics.evictions += 1
            }
        }

        var expected: MemoryCacheStatistics {
            var statistics = statistics
            statistics.cost = entries.reduce(0) { $0 + $1.cost }
            statistics.count = entries.count
            return statistics
        }
    }

    @Test(arguments: 1...40) func agreesWithTheModel(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = Int.random(in: 0...300, using: &generator)
        let shares: [Double] = [0.25, 0.5, 1]
        let share = shares.randomElement(using: &generator) ?? 1
        let cache = MemoryCache<Int, Int>(limit: limit, largestShare: share)
        var model = Model(limit: limit, share: share)
        for step in 0..<2000 {
            let key = Int.random(in: 0..<30, using: &generator)
            switch Int.random(in: 0..<100, using: &generator) {
            case ..<45: #expect(cache.value(for: key) == model.value(for: key))
            case ..<90:
                let cost = Int.random(in: 0...80, using: &generator)
                #expect(cache.insert(step, cost: cost, for: key) == model.insert(step, cost: cost, for: key))
            case ..<96: #expect(cache.removeValue(for: key) == model.removeValue(for: key))
            case ..<99:
                model.limit = Int.random(in: 0...300, using: &generator)
                model.evict()
                cache.limit = model.limit
                #expect(cache.limit == model.limit)
            default:
                model.entries = []
                cache.removeAll()
            }
            #expect(cache.statistics == model.expected)
        }
    }

    @Test func oldestGoFirst() {
        let cache = MemoryCache<String, Int>(limit: 4)
        for (index, key) in ["a", "b", "c", "d"].enumerated() { cache.insert(index, cost: 1, for: key) }
        #expect(cache.value(for: "a") == 0)
        cache.insert(4, cost: 1, for: "e")
        #expect(cache.value(for: "b") == nil)
        #expect(["c", "d", "a", "e"].map { cache.value(for: $0) } == [2, 3, 0, 4])
        cache.limit = 2
        #expect(["c", "d", "a", "e"].map { cache.value(for: $0) } == [nil, nil, 0, 4])
    }

    /// A value that is too large is not kept, and the old value under its key is removed.
    @Test func tooLargeValueRemovesTheOldOne() {
        let cache = MemoryCache<String, Int>(limit: 100)
        #expect(cache.insert(1, cost: 25, for: "a"))
        #expect(cache.insert(2, cost: 25, for: "b"))
        #expect(!cache.insert(3, cost: 26, for: "a"))
        #expect(cache.value(for: "a") == nil)
        #expect(cache.value(for: "b") == 2)
        #expect(!cache.insert(4, cost: .max, for: "c"))
    }

    @Test func extremeLimitsDoNotOverflow() {
        let nothing = MemoryCache<Int, Int>(limit: -5)
        #expect(nothing.limit == 0)
        #expect(!nothing.insert(1, cost: 1, for: 1))
        #expect(nothing.insert(1, cost: 0, for: 1))
        #expect(nothing.insert(1, cost: -7, for: 2))
        #expect(nothing.statistics.cost == 0)

        let everything = MemoryCache<Int, Int>(limit: .max, largestShare: 7)
        for key in 0..<10 { everything.insert(key, cost: .max / 4, for: key) }
        #expect(everything.statistics.count == 2)
        #expect(everything.value(for: 9) == 9)
        everything.limit = 0
        #expect(everything.statistics.count == 0)
    }

    /// Calls a closure on deinitialisation.
    private final class Tracked: Sendable {
        let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    /// Values are released as soon as the cache removes them, and their deinitialisers may call the cache.
    @Test func nothingIsHeldForLonger() {
        let ends = Counter()
        let cache = MemoryCache<Int, Tracked>(limit: 10, largestShare: 1)
        func insert(_ key: Int, cost: Int) {
            cache.insert(
                Tracked {
                    ends.add(1)
                    _ = cache.statistics
                }, cost: cost, for: key)
        }
        for key in 0..<10 { insert(key, cost: 1) }
        #expect(ends.value == 0)
        insert(10, cost: 3)
        #expect(ends.value == 3)
        insert(10, cost: 2)
        #expect(ends.value == 4)
        insert(10, cost: 11)
        #expect(ends.value == 6)
        cache.limit = 5
        #expect(ends.value == 8)
        cache.removeValue(for: 9)
        #expect(ends.value == 9)
        cache.removeAll()
        #expect(ends.value == 13)
    }

    @Test func costStaysWithinLimitOnManyThreads() async {
        let ends = Counter()
        let begins = Counter()
        let cache = MemoryCache<Int, Tracked>(limit: 1000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<3000 {
                        let key = Int.random(in: 0..<100, using: &generator)
                        switch Int.random(in: 0..<50, using: &generator) {
                        case 0: cache.limit = Int.random(in: 500...1000, using: &generator)
                        case 1: cache.removeValue(for: key)
                        case 2: if key == 0 { cache.removeAll() }
                        case ..<25:
                            begins.add(1)
                            let value = Tracked { ends.add(1) }
                            cache.insert(value, cost: .random(in: 0...60, using: &generator), for: key)
                        default: _ = cache.value(for: key)
                        }
                        let statistics = cache.statistics
                        #expect(statistics.cost <= 1000)
                    }
                }
            }
        }
        let statistics = cache.statistics
        #expect(statistics.cost <= cache.limit)
        #expect(begins.value - ends.value == statistics.count)
        cache.removeAll()
        #expect(begins.value == ends.value)
        #expect(cache.statistics.cost == 0)
    }
}
