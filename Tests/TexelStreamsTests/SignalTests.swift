import Testing

@testable import TexelStreams

@Suite struct SignalTests {
    private let executor = ManualExecutor()
    private let signal = Signal()

    /// A task that waits `count` times and records each wake-up.
    private func waiter(_ count: Int) -> Log<Int> {
        let log = Log<Int>()
        Task(executorPreference: executor) { [signal] in
            for turn in 0..<count {
                await signal.wait()
                log.note(turn)
            }
        }
        executor.settle()
        return log
    }

    @Test func wakesWhoWaits() {
        let log = waiter(1)
        #expect(log.all.isEmpty)
        signal.raise()
        executor.settle()
        #expect(log.all == [0])
    }

    @Test func isNotLostWhenNobodyWaitsYet() {
        signal.raise()
        #expect(waiter(1).all == [0])
    }

    @Test func wakesOnceHoweverOftenItWasRaised() {
        signal.raise()
        signal.raise()
        let log = waiter(2)
        #expect(log.all == [0])
        signal.raise()
        executor.settle()
        #expect(log.all == [0, 1])
    }
}
