import Dispatch
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPixels

@testable import TexelPipeline

/// Concurrency and waiting in the worker pool.
@Suite(.timeLimit(.minutes(30))) struct WorkerPoolTests {
    /// The totals of the running work, as seen by the work itself.
    private final class Ledger: Sendable {
        struct Totals {
            var running = 0
            var bytes = 0
            var mostRunning = 0
            var mostBytes = 0
        }

        private let totals = Mutex(Totals())

        var peak: Totals { totals.withLock { $0 } }

        func work(_ bytes: Int, _ body: () -> Void = {}) {
            totals.withLock { totals in
                totals.running += 1
                totals.bytes += bytes
                totals.mostRunning = max(totals.mostRunning, totals.running)
                totals.mostBytes = max(totals.mostBytes, totals.bytes)
            }
            body()
            totals.withLock { totals in
                totals.running -= 1
                totals.bytes -= bytes
            }
        }
    }

    /// Records numbers in order.
    private final class Record: Sendable {
        private let storage = Mutex<[Int]>([])

        var numbers: [Int] { storage.withLock { $0 } }
        func append(_ number: Int) { storage.withLock { $0.append(number) } }
    }

    /// Blocks work until it is opened; uses processor time, but no test depends on how long.
    private final class Door: Sendable {
        private let isOpen = Atomic(false)

        func open() { isOpen.store(true, ordering: .releasing) }
        func wait() { while !isOpen.load(ordering: .acquiring) { sched_yield() } }
    }

    @Test(arguments: [1, 2, 3]) func neverMoreThanItsWidth(width: Int) async {
        let pool = WorkerPool(width: width, byteBudget: 1000)
        let ledger = Ledger()
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask { await pool.run(bytes: 1) { ledger.work(1) { sched_yield() } } }
            }
        }
        #expect(ledger.peak.mostRunning <= width)
        #expect(ledger.peak.running == 0)
    }

    @Test func workMaySpreadOverIdleWorkersOnly() async {
        let pool = WorkerPool(width: 3, byteBudget: 1000)
        let (hasBegun, mayEnd) = (Door(), Door())
        async let other: Void = pool.run(bytes: 1) {
            hasBegun.open()
            mayEnd.wait()
        }
        let beside = await pool.run(bytes: 1) {
            hasBegun.wait()
            defer { mayEnd.open() }
            return pool.threadsPerTask
        }
        await other
        #expect(beside == 2)
    }

    /// Two pieces of work wait for each other, so they must run at the same time.
    @Test func asMuchAsItsWidth() async {
        let pool = WorkerPool(width: 2, byteBudget: 1000)
        let (first, second) = (Door(), Door())
        async let left: Void = pool.run(bytes: 1) {
            first.open()
            second.wait()
        }
        async let right: Void = pool.run(bytes: 1) {
            second.open()
            first.wait()
        }
        _ = await (left, right)
    }

    @Test func poolsRespectTheByteBudget() async {
        let pool = WorkerPool(width: 8, byteBudget: 100)
        let ledger = Ledger()
        await withTaskGroup { group in
            for index in 0..<200 {
                let bytes = [10, 35, 60, 99][index % 4]
                group.addTask { await pool.run(bytes: bytes) { ledger.work(bytes) { sched_yield() } } }
            }
        }
        #expect(ledger.peak.mostBytes <= 100)
    }

    @Test func whatExceedsTheBudgetRunsAlone() async {
        let pool = WorkerPool(width: 4, byteBudget: 100)
        let ledger = Ledger()
        await withTaskGroup { group in
            for index in 0..<60 {
                // If large work ran beside other work, the total would exceed the large work's own bytes.
                let bytes = index % 3 == 0 ? 5000 : 20
                group.addTask { await pool.run(bytes: bytes) { ledger.work(bytes) { sched_yield() } } }
            }
        }
        #expect(ledger.peak.mostBytes == 5000)
    }

    @Test func firstComeFirstServed() async throws {
        let pool = WorkerPool(width: 1, byteBudget: 100)
        let door = Door()
        let order = Record()
        await withTaskGroup { group in
            group.addTask { await pool.run(bytes: 1) { door.wait() } }
            // Small work never overtakes large work that waits.
            for (index, bytes) in [90, 1, 5000, 1, 100].enumerated() {
                group.addTask { await pool.run(bytes: bytes) { order.append(index) } }
                while pool.waitingCount <= index { await Task.yield() }
            }
            door.open()
        }
        #expect(order.numbers == [0, 1, 2, 3, 4])
    }

    /// Work on all workers leaves Swift's own threads free.
    @Test func otherTasksGoOn() async {
        let width = WorkerPool.availableCores
        let pool = WorkerPool(width: width, byteBudget: 1000)
        let door = Door()
        await withTaskGroup { group in
            for _ in 0..<(4 * width) { group.addTask { await pool.run(bytes: 1) { door.wait() } } }
            group.addTask { door.open() }
        }
    }

    @Test func errorsComeBack() async {
        let pool = WorkerPool(width: 1, byteBudget: 1)
        await #expect(throws: TexelError.empty) {
            try await pool.run(bytes: 1) { () throws(TexelError) in throw .empty }
        }
        #expect(await pool.run(bytes: 1) { 42 } == 42)
    }
}

/// Stopped work ends with its reason.
@Suite struct StopTokenTests {
    @Test func stopsReportTheirReason() {
        let parent = StopToken()
        let child = StopToken(parent: parent)
        #expect(child.reason == nil)
        parent.cancel()
        #expect(child.reason == .cancelled)
        #expect(StopToken(timeout: .zero).reason == .timedOut)
        #expect(StopToken(timeout: .seconds(1000)).reason == nil)
        #expect(StopToken(parent: StopToken(timeout: .zero)).reason == .timedOut)
    }

    /// Stopping at any check: no file is written, and the reason is thrown.
    @Test func stoppedAtAnyQuestion() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 200, height: 300), alphaMode: .opaque)
        for format in ImageFormat.tested {
            let source = try Input.source(image, format)
            for recipe in [Recipe(), Recipe().resizing(width: 100), Recipe().rotating(by: 90)] {
                let plan = try source.plan(recipe)
                let questions = Atomic(0)
                let counting = StopToken {
                    questions.add(1, ordering: .relaxed)
                    return nil
                }
                _ = try plan.file(RouteContext(source, stop: counting))
                let count = questions.load(ordering: .relaxed)
                #expect(count > 3, "\(format) \(plan.route)")
                for last in stride(from: 1, through: count, by: max(1, count / 7)) {
                    let asked = Atomic(0)
                    let stop = StopToken {
                        asked.add(1, ordering: .relaxed).newValue >= last ? .cancelled : nil
                    }
                    #expect(throws: TexelError.stopped(.cancelled), "\(format) \(last) of \(count)") {
                        try plan.file(RouteContext(source, stop: stop))
                    }
                }
            }
        }
    }
}

/// Work on threads that may block.
@Suite(.timeLimit(.minutes(30))) struct BlockingThreadsTests {
    private func onThreads(_ count: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let threads = try #require(BlockingThreads(count: count))
        defer { threads.end() }
        try await withThrowingTaskGroup { group in
            group.addTask(executorPreference: threads, operation: body)
            try await group.waitForAll()
        }
    }

    private static var isOnAnother: Bool { BlockingThreads.current == nil }

    @Test func admittedWorkStaysOnItsThread() async throws {
        let pool = WorkerPool(width: 1, byteBudget: 100)
        try await onThreads(1) {
            let thread = pthread_self()
            let stays = await pool.run(bytes: 1000) { pthread_equal(pthread_self(), thread) != 0 }
            #expect(stays)
            let staysUntilStopped = try await pool.run(bytes: { 1 }, urgency: Urgency(), stop: StopToken()) {
                () throws(TexelError) in pthread_equal(pthread_self(), thread) != 0
            }
            #expect(staysUntilStopped)
        }
        #expect(await pool.run(bytes: 1) { Self.isOnAnother })
    }

    @Test func workWithoutRoomWaitsElsewhere() async throws {
        let pool = WorkerPool(width: 1, byteBudget: 100)
        let (hasBegun, mayEnd) = (Waiter<Void>(), DispatchSemaphore(value: 0))
        async let other: Void = pool.run(bytes: 1) {
            hasBegun.resume(.success(()))
            mayEnd.wait()
        }
        _ = await hasBegun.result()
        try await onThreads(1) {
            async let isOnAnother = pool.run(bytes: 1) { Self.isOnAnother }
            while pool.waitingCount == 0 { await Task.yield() }
            mayEnd.signal()
            #expect(await isOnAnother)
        }
        await other
    }

    @Test func neverMoreThanThePoolsWidth() async throws {
        let pool = WorkerPool(width: 2, byteBudget: 100)
        let counts = Mutex((running: 0, most: 0))
        let threads = try #require(BlockingThreads(count: 5))
        defer { threads.end() }
        let work = { @Sendable (change: Int) in
            counts.withLock { counts in
                counts.running += change
                counts.most = max(counts.most, counts.running)
            }
        }
        await withDiscardingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask(executorPreference: threads) {
                    await pool.run(bytes: 1) {
                        work(1)
                        sched_yield()
                        work(-1)
                    }
                }
            }
        }
        #expect(counts.withLock(\.most) <= 2)
        #expect(counts.withLock(\.running) == 0)
    }

    @Test func cancellingItsTaskStopsTheWork() async throws {
        let pool = WorkerPool(width: 1, byteBudget: 100)
        let threads = try #require(BlockingThreads(count: 1))
        defer { threads.end() }
        let (hasBegun, stop) = (Waiter<Void>(), StopToken())
        let task = Task(executorPreference: threads) {
            try await pool.run(bytes: { 1 }, urgency: Urgency(), stop: stop) { () throws(TexelError) -> Void in
                hasBegun.resume(.success(()))
                while stop.reason == nil { sched_yield() }
            }
            try await pool.run(bytes: { 1 }, urgency: Urgency(), stop: stop) { () throws(TexelError) -> Void in
                Issue.record("began after it was stopped")
            }
        }
        _ = await hasBegun.result()
        task.cancel()
        await #expect(throws: TexelError.stopped(.cancelled)) { try await task.value }
    }

    /// A task that still waits when the threads end continues on Swift's threads.
    @Test func endingLosesNoTask() async throws {
        let threads = try #require(BlockingThreads(count: 1))
        let (isWaiting, signal) = (Waiter<Void>(), Waiter<Bool>())
        let task = Task(executorPreference: threads) {
            isWaiting.resume(.success(()))
            _ = await signal.result()
            return Self.isOnAnother
        }
        _ = await isWaiting.result()
        threads.end()
        signal.resume(.success(true))
        #expect(await task.value)
    }

    /// Work may begin before the system has started all threads.
    @Test func threadsWithoutWorkAreIdleFromTheStart() async throws {
        for _ in 0..<50 {
            let threads = try #require(BlockingThreads(count: 3))
            defer { threads.end() }
            #expect(threads.idleCount == 3)
            await Task(executorPreference: threads) { #expect(threads.idleCount == 2) }.value
        }
    }
}
