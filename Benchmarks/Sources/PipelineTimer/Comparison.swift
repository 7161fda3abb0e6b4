import BareRoute
import Foundation
import Synchronization
import Texel

/// Compares the bare route and the pipeline on the same work, in alternating order: bare, pipeline, pipeline, bare …
struct Comparison {
    /// The median over all rounds of pipeline time / bare time.
    var ratio = 0.0
    /// The median time of one item.
    var bare = Duration.zero
    var pipeline = Duration.zero
    /// The median over all rounds of the time added to one item.
    var overhead = Duration.zero
    /// The median over all rounds of the processor time added to one item.
    var processorOverhead = Duration.zero

    private struct Times {
        var wall = 0.0
        var processor = 0.0
    }

    /// Runs the comparison.
    ///
    /// - Parameters:
    ///   - count: The number of items that both sides process.
    ///   - rounds: The number of measured rounds.
    ///   - bare: Processes one item on the calling thread; there are as many threads as the pipeline has workers.
    ///   - pipeline: Processes all items.
    init(
        count: Int, rounds: Int, bare: @escaping @Sendable (Int) throws -> Void,
        pipeline: () async throws -> Void
    ) async throws {
        var rows: [(bare: Times, pipeline: Times)] = []
        for round in 0...rounds {
            var row = (bare: Times(), pipeline: Times())
            let isBareFirst = round.isMultiple(of: 2)
            if isBareFirst { row.bare = try await Self.time { try PlainThreads.run(count: count, bare) } }
            row.pipeline = try await Self.time(pipeline)
            if !isBareFirst { row.bare = try await Self.time { try PlainThreads.run(count: count, bare) } }
            // The first round warms up.
            if round > 0 { rows.append(row) }
        }
        let item = 1 / Double(count)
        ratio = rows.map { $0.pipeline.wall / $0.bare.wall }.median
        self.bare = .seconds(rows.map(\.bare.wall).median * item)
        self.pipeline = .seconds(rows.map(\.pipeline.wall).median * item)
        overhead = .seconds(rows.map { $0.pipeline.wall - $0.bare.wall }.median * item)
        processorOverhead = .seconds(rows.map { $0.pipeline.processor - $0.bare.processor }.median * item)
    }

    private static func time(_ body: () async throws -> Void) async throws -> Times {
        let (start, processorStart) = (ContinuousClock.now, ThisProcess.processorTime)
        try await body()
        return Times(
            wall: (ContinuousClock.now - start) / .seconds(1),
            processor: (ThisProcess.processorTime - processorStart) / .seconds(1))
    }
}

/// Runs items on as many threads as the pipeline has workers; each takes the next item until there are none.
enum PlainThreads {
    private final class Shared: Sendable {
        let next = Atomic(0)
        let error = Mutex<(any Error)?>(nil)
    }

    static func run(count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let shared = Shared()
        let group = DispatchGroup()
        for _ in 0..<WorkerPool.shared.width {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    while case let index = shared.next.wrappingAdd(1, ordering: .relaxed).oldValue, index < count {
                        try body(index)
                    }
                } catch {
                    shared.error.withLock { $0 = error }
                }
            }
        }
        group.wait()
        if let error = shared.error.withLock({ $0 }) { throw error }
    }
}
