import Synchronization
import TexelCodecs
import TexelCore
import TexelPipeline

/// The results of a batch in the order of its inputs. Each is delivered when it and all results before it are complete.
///
/// Leaving the loop early stops the batch, and so does cancelling the task that reads.
public struct BatchResults: AsyncSequence, Sendable {
    public typealias Failure = Never

    private let order: Order

    init(_ events: Broadcast<BatchEvent>, _ stop: StopToken) { order = Order(events, stop) }

    /// Makes an iterator; all iterators share the results.
    public func makeAsyncIterator() -> Iterator { Iterator(order: order) }

    /// Iterates over the results of a batch.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let order: Order

        public mutating func next() async -> FileResult? { await order.next(isolation: nil) }

        // Stays on the caller's actor, because each result would take two switches.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FileResult? {
            await order.next(isolation: actor)
        }
    }

    /// Puts the results in order. Stops the batch when it is released before the end.
    fileprivate final class Order: Sendable {
        private struct State {
            /// Complete results whose turn has not come.
            var waiting: [Int: FileResult] = [:]
            var deliveredCount = 0
            var pace = ResultPace()
            var isAtEnd = false
        }

        private let listener: BroadcastListener<BatchEvent>
        private let stop: StopToken
        private let state = Mutex(State())

        init(_ events: Broadcast<BatchEvent>, _ stop: StopToken) {
            listener = events.listen(bufferingNewest: 0)
            self.stop = stop
        }

        deinit { if !state.withLock(\.isAtEnd) { stop.cancel() } }

        /// Waits for the next result; `nil` at the end of the batch.
        func next(isolation actor: isolated (any Actor)?) async -> FileResult? {
            var events = listener.makeAsyncIterator()
            var hasRested = false
            while true {
                if let result = taken() { return result }
                switch listener.poll() {
                case .element(let event):
                    keep(event)
                    hasRested = false
                case .nothingYet where state.withLock({ $0.pace.rests }) && !hasRested:
                    try? await Task.sleep(for: ResultPace.rest)
                    hasRested = true
                case .nothingYet, .end:
                    let start = ContinuousClock.now
                    guard let event = await events.next(isolation: actor) else { return ended() }
                    keep(event)
                    let duration = ContinuousClock.now - start
                    state.withLock { [hasRested] in $0.pace.add(wait: duration, hasRested: hasRested) }
                }
            }
        }

        private func ended() -> FileResult? {
            if Task.isCancelled { stop.cancel() }
            state.withLock { $0.isAtEnd = true }
            return nil
        }

        private func keep(_ event: BatchEvent) {
            if let (item, result) = event.ending { state.withLock { $0.waiting[item.index] = result } }
        }

        private func taken() -> FileResult? {
            state.withLock { state in
                let result = state.waiting.removeValue(forKey: state.deliveredCount)
                if result != nil { state.deliveredCount += 1 }
                return result
            }
        }
    }
}
