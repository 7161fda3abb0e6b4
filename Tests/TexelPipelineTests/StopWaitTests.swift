import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore

import TexelPixels
@testable import TexelPipeline

/// Threads that wait for a stop token are woken, and handlers are called once.
@Suite struct StopWaitTests {
    private func isReadable(_ descriptor: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private func duration(_ body: () throws -> Void) rethrows -> Duration {
        try ContinuousClock().measure { try body() }
    }

    @Test func handlersAreCalledOnce() async {
        for _ in 0..<200 {
            let stop = StopToken()
            let calls = Monitor(0)
            await withTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask { stop.cancel() }
                    group.addTask { stop.whenCancelled { calls.withLock { $0 += 1 } } }
                }
            }
            #expect(calls.withLock { $0 } == 3)
            stop.whenCancelled { calls.withLock { $0 += 1 } }
            #expect(calls.withLock { $0 } == 4)
        }
    }

    @Test func aParentDoesNotCallHandlers() {
        let parent = StopToken()
        let child = StopToken(parent: parent)
        let calls = Monitor(0)
        child.whenCancelled { calls.withLock { $0 += 1 } }
        parent.cancel()
        #expect(child.isStopped)
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func descriptorsBecomeReadableOnCancellation() throws {
        let stop = StopToken()
        let descriptor = try stop.openDescriptor().rawValue
        #expect(stop.descriptor == descriptor)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(!isReadable(descriptor))
        stop.cancel()
        #expect(isReadable(descriptor))
        stop.cancel()
        #expect(isReadable(stop.descriptor))
    }

    @Test func descriptorOfACancelledToken() {
        let stop = StopToken()
        stop.cancel()
        #expect(isReadable(stop.descriptor))
    }

    @Test func descriptorOfAGrandchild() {
        let grandparent = StopToken()
        let stop = StopToken(parent: StopToken(parent: grandparent))
        #expect(!isReadable(stop.descriptor))
        grandparent.cancel()
        #expect(isReadable(stop.descriptor))
        #expect(isReadable(StopToken(parent: grandparent).descriptor))
    }

    /// More tokens than a process may have descriptors; their parent keeps none of them.
    @Test func descriptorsAreClosed() throws {
        let parent = StopToken()
        for index in 0..<20_000 {
            let stop = StopToken(parent: parent)
            try stop.openDescriptor()
            if index.isMultiple(of: 2) { stop.cancel() }
        }
        parent.cancel()
    }

    /// The token is cancelled at different moments of the wait, directly or by its parent.
    @Test func noWakeUpIsLost() throws {
        let pipe = try FileDescriptor.privatePipe()
        defer { for end in [pipe.readEnd, pipe.writeEnd] { try? end.close() } }
        for round in 0..<400 {
            let parent = StopToken()
            let stop = round.isMultiple(of: 2) ? parent : StopToken(parent: parent, timeout: .seconds(1000))
            let thread = WorkerThread {
                if round.isMultiple(of: 3) {
                    stop.wait(until: .now + .seconds(500))
                } else {
                    let state = try? stop.wait(for: pipe.readEnd, POLLIN)
                    #expect(state?.isStopped == true && state?.isReady == false)
                }
                #expect(stop.reason == .cancelled)
            }
            for _ in 0..<round % 50 { sched_yield() }
            parent.cancel()
            try #require(thread != nil)
            thread?.join()
        }
    }

    @Test func waitsEndAtTheTimeout() throws {
        let pipe = try FileDescriptor.privatePipe()
        defer { for end in [pipe.readEnd, pipe.writeEnd] { try? end.close() } }
        let stop = StopToken(parent: StopToken(timeout: .milliseconds(30)))
        let state = try stop.wait(for: pipe.readEnd, POLLIN)
        #expect(state.isStopped && !state.isReady && stop.reason == .timedOut)
        StopToken(timeout: .milliseconds(30)).wait(until: .now + .seconds(100))

        let endless = StopToken()
        let waited = try duration {
            endless.wait(until: .now + .milliseconds(20))
            let state = try endless.wait(for: pipe.readEnd, POLLIN, until: .now + .milliseconds(20))
            #expect(!state.isReady && !state.isStopped)
        }
        #expect(waited >= .milliseconds(40))
        endless.wait(until: .now - .seconds(1))
        let writable = try endless.wait(for: pipe.writeEnd, POLLOUT)
        #expect(writable.isReady && !writable.isStopped)
    }

    /// A closure cannot wake the thread, so the wait polls it, a few times a second.
    @Test func waitsPollClosures() throws {
        let pipe = try FileDescriptor.privatePipe()
        defer { for end in [pipe.readEnd, pipe.writeEnd] { try? end.close() } }
        let questions = Atomic(0)
        let stop = StopToken { questions.add(1, ordering: .relaxed).newValue > 3 ? .timedOut : nil }
        stop.wait(until: .now + .seconds(100))
        #expect(questions.load(ordering: .relaxed) == 4)
        questions.store(0, ordering: .relaxed)
        #expect(try stop.wait(for: pipe.readEnd, POLLIN).isStopped)
        #expect(questions.load(ordering: .relaxed) == 4)
        let cancelled = StopToken { nil }
        cancelled.cancel()
        #expect(cancelled.reason == .cancelled)
    }
}
