import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs

/// Calls that cannot be interrupted return to a stopped caller, and end later.
@Suite(.serialized) struct UninterruptibleCallTests {
    /// A call that waits until the test allows it to end.
    private final class Gate: Sendable {
        private let state = Monitor((isOpen: false, enteredCount: 0))

        func enter() {
            state.update { $0.enteredCount += 1 }
            _ = state.wait { $0.isOpen ? true : nil }
        }

        func waitUntilEntered() { _ = state.wait { $0.enteredCount > 0 ? true : nil } }
        func open() { state.update { $0.isOpen = true } }
        var enteredCount: Int { state.withLock { $0.enteredCount } }
    }

    /// Cancels the token when the gate has been entered.
    private func cancel(_ stop: StopToken, after gate: Gate) throws {
        try #require(
            WorkerThread {
                gate.waitUntilEntered()
                stop.cancel()
            }
        ).detach()
    }

    @Test func resultsAndErrorsArePassed() throws {
        for stop in [nil, StopToken()] {
            #expect(try UninterruptibleCall.run(stop: stop) { () throws(TexelError) in 5 } == 5)
            #expect(throws: TexelError.outOfMemory) {
                try UninterruptibleCall.run(stop: stop) { () throws(TexelError) -> Int in throw .outOfMemory }
            }
        }
    }

    @Test func stoppedCallersReturnAtOnce() throws {
        let (stop, gate) = (StopToken(), Gate())
        try cancel(stop, after: gate)
        // The gate is closed, so this would wait for ever.
        #expect(throws: TexelError.stopped(.cancelled)) {
            try UninterruptibleCall.run(stop: stop) { () throws(TexelError) in gate.enter() }
        }
        let late = StopToken(timeout: .milliseconds(1))
        #expect(throws: TexelError.stopped(.timedOut)) {
            try UninterruptibleCall.run(stop: late) { () throws(TexelError) in gate.enter() }
        }
        gate.open()
        UninterruptibleCall.waitForAbandoned()
    }

    /// The call has ended when its caller looks, but after the stop.
    @Test func lateResultsAreNotReturned() {
        let stop = StopToken()
        #expect(throws: TexelError.stopped(.cancelled)) {
            try UninterruptibleCall.run(stop: stop) { () throws(TexelError) in stop.cancel() }
        }
        UninterruptibleCall.waitForAbandoned()
    }

    @Test func nothingStartsAfterAStop() {
        let stop = StopToken()
        stop.cancel()
        #expect(throws: TexelError.stopped(.cancelled)) {
            try UninterruptibleCall.run(stop: stop) { () throws(TexelError) in
                Issue.record("the call was made")
            }
        }
    }

    /// The memory of an abandoned call is freed when it ends.
    @Test func memoryIsFreed() throws {
        final class Memory: Sendable {}
        let gate = Gate()
        weak var memory: Memory?
        do {
            let owned = Memory()
            memory = owned
            let stop = StopToken()
            try cancel(stop, after: gate)
            #expect(throws: TexelError.stopped(.cancelled)) {
                try UninterruptibleCall.run(stop: stop) { () throws(TexelError) in
                    gate.enter()
                    extendLifetime(owned)
                }
            }
        }
        #expect(memory != nil)
        gate.open()
        UninterruptibleCall.waitForAbandoned()
        #expect(memory == nil)
    }

    /// Calls wait for a place if too many abandoned ones are running, and can be stopped while they wait.
    @Test func abandonedCallsAreLimited() throws {
        let gate = Gate()
        for _ in 0..<2 {
            let (stop, first) = (StopToken(), gate.enteredCount)
            try #require(
                WorkerThread {
                    while gate.enteredCount == first {}
                    stop.cancel()
                }
            ).detach()
            #expect(throws: TexelError.stopped(.cancelled)) {
                try UninterruptibleCall.run(stop: stop) { () throws(TexelError) in gate.enter() }
            }
        }
        let late = StopToken(timeout: .milliseconds(50))
        #expect(throws: TexelError.stopped(.timedOut)) {
            try UninterruptibleCall.run(stop: late) { () throws(TexelError) in
                Issue.record("a third call was made")
            }
        }
        gate.open()
        UninterruptibleCall.waitForAbandoned()
        #expect(try UninterruptibleCall.run(stop: StopToken()) { () throws(TexelError) in 1 } == 1)
    }
}
