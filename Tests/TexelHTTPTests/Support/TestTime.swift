#if HTTP
    import Synchronization

    @testable import TexelHTTP

    /// A clock that advances only by sleeping: short sleeps return at once, long ones never.
    final class TestTime: Sendable {
        private let state: Mutex<State>

        private struct State {
            var now = Duration.zero
            var date = 1_000_000_000
            var sleeps: [Duration] = []
            var longest: Duration
        }

        /// Creates a clock.
        ///
        /// - Parameter longest: Longer sleeps do not return.
        init(skippingUpTo longest: Duration = .seconds(60)) { state = Mutex(State(longest: longest)) }

        /// The sleeps that have returned.
        var sleeps: [Duration] { state.withLock { $0.sleeps } }

        var date: Int {
            get { state.withLock { $0.date } }
            set { state.withLock { $0.date = newValue } }
        }

        /// Lets sleeps of up to this length return.
        func skip(upTo longest: Duration) { state.withLock { $0.longest = longest } }

        private func sleep(_ duration: Duration) async throws {
            let isOver = state.withLock { state in
                guard duration <= state.longest else { return false }
                state.now += duration
                state.sleeps.append(duration)
                return true
            }
            if isOver { await Task.yield() } else { try await Task.sleep(for: .seconds(1_000_000)) }
            try Task.checkCancellation()
        }

        var transferTime: TransferTime {
            TransferTime(
                now: { self.state.withLock { $0.now } }, sleep: { try await self.sleep($0) },
                date: { self.date }, chance: { 0.5 })
        }
    }
#endif
