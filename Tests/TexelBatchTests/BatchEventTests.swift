import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelBatch
@testable import TexelPipeline

/// The events of a batch.
@Suite(.timeLimit(.minutes(30))) struct BatchEventTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func item(_ path: String) -> InputItem {
        let path = FilePath(path)
        return InputItem(path: path, relativePath: FilePath(path.lastComponent?.string ?? ""))
    }

    private func batch(
        _ items: [InputItem], _ recipe: Recipe = Recipe().resizing(width: 24), stop: StopToken = StopToken(),
        skipsExisting: Bool = false, to store: (any OutputStore)? = nil
    ) -> Batch {
        var options = ProcessingOptions()
        options.skipsExisting = skipsExisting
        let store = store ?? DirectoryStore(FilePath(directory("out")))
        return Batch(
            items, to: store, recipe: recipe, options: options,
            pool: WorkerPool(width: 3, byteBudget: 1 << 26), stop: stop)
    }

    /// All images of the repository, and files that are not images.
    private func mixedItems() throws -> [InputItem] {
        var items = TestFolders.files(below: TestFolders.testImages).map { item($0.path) }
        #expect(items.count > 40)
        let whole = try TestFolders.testImage("photograph.jpg")
        let broken = [
            try directory.add("in/truncated.jpg", whole.prefix(whole.count / 2)),
            try directory.add("in/empty.png", []),
            try directory.add("in/text.jpg", "no picture at all".utf8),
            directory("in/missing.png"),
        ]
        for (index, path) in broken.enumerated() { items.insert(item(path), at: 7 * index) }
        return items
    }

    private func events(_ listener: BroadcastListener<BatchEvent>) async -> [BatchEvent] {
        await listener.reduce(into: []) { $0.append($1) }
    }

    // MARK: Order of events

    private enum Stage {
        case queued, started, ended
    }

    /// Checks a stream of events against its documented order.
    ///
    /// - Parameter isComplete: whether no event was dropped.
    private func check(_ events: [BatchEvent], count: Int, isComplete: Bool) throws {
        var stages: [Stage] = []
        var progress: [Int: RowProgress] = [:]
        var summary: BatchSummary?
        for event in events {
            #expect(summary == nil, "after the end: \(event)")
            switch event {
            case .queued(let items):
                #expect(stages.isEmpty && items.map(\.index) == Array(0..<count))
                stages = Array(repeating: .queued, count: count)
            case .started(let item):
                #expect(stages[item.index] == .queued)
                stages[item.index] = .started
            case .progress(let item, let rows):
                if isComplete { #expect(stages[item.index] == .started) }
                #expect(stages[item.index] != .ended)
                #expect(rows.rowsDone >= progress[item.index]?.rowsDone ?? 0 && rows.rowsDone <= rows.rowCount)
                progress[item.index] = rows
            case .finished(let item, let result):
                if isComplete { #expect(stages[item.index] == .started) }
                #expect(stages[item.index] != .ended)
                #expect(result.error == nil && result.status != .failed)
                if isComplete, result.status == .written { #expect(progress[item.index]?.fraction == 1) }
                stages[item.index] = .ended
            case .failed(let item, let result):
                if isComplete { #expect(stages[item.index] == .started) }
                #expect(stages[item.index] != .ended)
                #expect(result.error != nil && result.error != .stopped(.cancelled))
                stages[item.index] = .ended
            case .cancelled(let item, let result):
                #expect(stages[item.index] != .ended)
                #expect(result.error == .stopped(.cancelled))
                stages[item.index] = .ended
            case .ended(let value): summary = value
            }
        }
        #expect(stages.count == count && stages.allSatisfy { $0 == .ended })
        let end = try #require(summary)
        let results = events.compactMap(\.ending?.result)
        let written = results.filter { $0.status == .written || $0.status == .kept }
        #expect(end.writtenCount == written.count)
        #expect(end.inputBytes == written.reduce(0) { $0 + $1.inputBytes })
        #expect(end.outputBytes == written.reduce(0) { $0 + $1.outputBytes })
        #expect(end.skippedCount == results.count { $0.status == .skipped })
        #expect(end.failedCount + end.cancelledCount == results.count { $0.error != nil })
        #expect(end.writtenCount + end.skippedCount + end.failedCount + end.cancelledCount == count)
    }

    @Test func orderOfARealBatch() async throws {
        let items = try mixedItems()
        let batch = batch(items)
        let listeners = [
            batch.events.listen(bufferingNewest: 100_000), batch.events.listen(bufferingNewest: 1),
            batch.events.listen(bufferingNewest: 0),
        ]
        var results: [FileResult] = []
        for await result in batch.results() { results.append(result) }
        #expect(results.map(\.input) == items.map(\.path))
        #expect(results.count { $0.error != nil } == 4)

        let late = batch.events.listen(bufferingNewest: 10)
        let all = await events(listeners[0])
        try check(all, count: items.count, isComplete: listeners[0].droppedCount == 0)
        #expect(listeners[0].droppedCount == 0)
        #expect(all.contains { if case .progress = $0 { true } else { false } })
        let endings = all.compactMap(\.ending?.item)
        for listener in listeners.dropFirst() + [late] {
            let some = await events(listener)
            try check(some, count: items.count, isComplete: false)
            #expect(some.compactMap(\.ending?.item) == endings)
        }
        // Results and events must agree.
        for (item, result) in all.compactMap(\.ending) {
            #expect(results[item.index].output == result.output && results[item.index].status == result.status)
        }
    }

    @Test func skippedIsFinished() async throws {
        let items = [item(TestFolders.testImages.appendingPathComponent("rgb.jpg").path)]
        for round in 0..<2 {
            let batch = batch(items, skipsExisting: true)
            batch.start()
            let events = await events(batch.events.listen(bufferingNewest: 100))
            try check(events, count: 1, isComplete: false)
            guard case .finished(_, let result)? = events.first(where: { $0.ending != nil }) else {
                Issue.record("\(events)")
                continue
            }
            #expect(result.status == (round == 0 ? .written : .skipped))
        }
    }

    @Test func emptyBatchBeginsAndEnds() async throws {
        let batch = batch([])
        let listener = batch.events.listen(bufferingNewest: 1)
        for await _ in batch.results() {}
        let events = await events(listener)
        #expect(events.count == 2)
        try check(events, count: 0, isComplete: true)
    }

    /// A batch that is started several times runs once, and all listeners receive the same.
    @Test func batchStartedSeveralTimesRunsOnce() async throws {
        let batch = batch(try mixedItems())
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    batch.start()
                    return await batch.results().reduce(into: 0) { count, _ in count += 1 }
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        let events = await events(batch.events.listen(bufferingNewest: 0))
        #expect(counts == [events.count - 2])
    }

    // MARK: Stopping

    private func manyItems(_ count: Int) throws -> [InputItem] {
        let image = try PixelBuffer.smooth(PixelSize(width: 40, height: 30))
        let bytes = try image.encoded(as: .jpeg(JPEGOptions()))
        return try (0..<count).map { item(try directory.add("in/\($0 + 1000).jpg", bytes)) }
    }

    @Test(arguments: [0, 1, 5, 39]) func stoppedInTheMiddle(after number: Int) async throws {
        let items = try manyItems(40)
        let stop = StopToken()
        let batch = batch(items, stop: stop)
        let listener = batch.events.listen(bufferingNewest: 1000)
        if number == 0 { stop.cancel() }
        batch.start()
        var seen: [BatchEvent] = []
        var endings = 0
        for await event in listener {
            seen.append(event)
            if event.ending != nil { endings += 1 }
            if endings == number { stop.cancel() }
        }
        try check(seen, count: 40, isComplete: false)
        guard case .ended(let summary) = seen.last else { throw CancellationError() }
        #expect(summary.writtenCount >= number && summary.failedCount == 0)
        if number == 0 { #expect(summary.cancelledCount == 40) }
        #expect(try directory.files().count { $0.hasPrefix("out/") } == summary.writtenCount)
        // Items that never started have no `started` event.
        if number == 0 {
            #expect(!seen.contains { if case .started = $0 { true } else { false } })
        }
    }

    /// Leaving the results early stops the work; other listeners receive the remaining events.
    @Test func leavingTheResults() async throws {
        let batch = batch(try manyItems(60))
        let listener = batch.events.listen(bufferingNewest: 1000)
        for await _ in batch.results() { break }
        let events = await events(listener)
        try check(events, count: 60, isComplete: false)
    }

    /// A batch that is never started ends its stream when it is released.
    @Test func releasedBatchEndsItsStream() async throws {
        var batch: Batch? = batch(try manyItems(2))
        let listener = batch?.events.listen(bufferingNewest: 1)
        batch = nil
        #expect(await listener?.reduce(into: 0) { count, _ in count += 1 } == 0)
    }

    // MARK: Many items

    /// One listener reads everything, one never reads, one reads occasionally; none of them stalls the work.
    @Test func slowListenersDoNotStallTheWork() async throws {
        let count = 10_000
        let real = try manyItems(10)
        let items = (0..<count).map { $0 % 1000 == 0 ? real[$0 / 1000] : item("/?/\($0)") }
        let batch = batch(items, to: BesideInputStore())
        let idle = batch.events.listen(bufferingNewest: 8)
        let eager = batch.events.listen(bufferingNewest: 1_000_000)
        let seen = Task { await events(eager) }
        let results = await batch.results().reduce(into: 0) { count, _ in count += 1 }
        #expect(results == count)
        let all = await seen.value
        try check(all, count: count, isComplete: true)
        #expect(idle.droppedCount > 9000)
        let some = await events(idle)
        try check(some, count: count, isComplete: false)
        #expect(some.count <= count + 2 + 8)
    }
}
