import Synchronization

/// The sending side of a test sequence: the test decides what is sent and when, and observes the reader.
///
/// Unread events are buffered. A waiting reader is only woken; it takes the element when it runs.
final class TestSource<Element: Sendable, Failure: Error>: Sendable {
    enum Event: Sendable {
        case element(Element)
        case end
        case failure(Failure)
    }

    struct Counts: Equatable {
        /// Live iterators.
        var iterators = 0
        /// Elements that were read.
        var read = 0
        /// Reads that were cancelled while waiting.
        var cancelled = 0
        /// Reads after the end, or two at a time, which operators must not do.
        var violations = 0
    }

    private struct State {
        var events: [Event] = []
        var waiting: CheckedContinuation<Void, Never>?
        var isCancelled = false
        var isOver = false
        var counts = Counts()
    }

    private let state = Mutex(State())
    /// Whether a cancelled read returns at once, as it should.
    private let heedsCancellation: Bool

    init(heedsCancellation: Bool = true) {
        self.heedsCancellation = heedsCancellation
    }

    var counts: Counts { state.withLock { $0.counts } }
    var isWaiting: Bool { state.withLock { $0.waiting != nil } }

    func push(_ event: Event) {
        state.withLock { $0.events.append(event) }
        wake()
    }

    fileprivate func open() {
        state.withLock { $0.counts.iterators += 1 }
    }

    fileprivate func close() {
        state.withLock { $0.counts.iterators -= 1 }
    }

    private func wake() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    fileprivate func next() async throws(Failure) -> Element? {
        let event = await withTaskCancellationHandler {
            while true {
                if let event = state.withLock({ state in take(&state) }) { return event }
                await withCheckedContinuation { continuation in
                    let mayWait = state.withLock { state in
                        if state.waiting != nil { state.counts.violations += 1 }
                        guard state.events.isEmpty, !state.isCancelled, state.waiting == nil else { return false }
                        state.waiting = continuation
                        return true
                    }
                    if !mayWait { continuation.resume() }
                }
            }
        } onCancel: {
            guard heedsCancellation else { return }
            state.withLock { state in
                state.isCancelled = true
                if state.waiting != nil { state.counts.cancelled += 1 }
            }
            wake()
        }
        switch event {
        case .element(let element): return element
        case .end: return nil
        case .failure(let failure): throw failure
        }
    }

    private func take(_ state: inout State) -> Event? {
        if state.isOver { state.counts.violations += 1 }
        if state.isCancelled {
            state.isOver = true
            return .end
        }
        guard let event = state.events.first else { return nil }
        state.events.removeFirst()
        if case .element = event { state.counts.read += 1 } else { state.isOver = true }
        return event
    }
}

/// The receiving side, which allows one iteration.
struct TestSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    let source: TestSource<Element, Failure>

    struct Iterator: AsyncIteratorProtocol {
        private final class Presence: Sendable {
            let source: TestSource<Element, Failure>

            init(_ source: TestSource<Element, Failure>) {
                self.source = source
                source.open()
            }

            deinit { source.close() }
        }

        private let presence: Presence

        init(_ source: TestSource<Element, Failure>) {
            presence = Presence(source)
        }

        mutating func next() async throws(Failure) -> Element? {
            try await presence.source.next()
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await presence.source.next()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(source) }
}
