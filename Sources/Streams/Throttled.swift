import Synchronization

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Delivers the first element at once, then at most one per interval: the latest. The last element is always
    /// delivered.
    ///
    /// ```
    /// base                abc-------de-|
    /// throttled (3 ticks) a--c------d--(e|)
    /// ```
    ///
    /// The base is read continuously from the consumer's first call on; elements that are replaced before they are due
    /// are dropped. The interval starts when the consumer takes an element, so a slow consumer also gets the newest.
    /// When the base ends or fails, the pending element is delivered at the end of its interval, and then the end or
    /// the error. Cancelling drops it.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two elements.
    ///   - clock: The clock that measures the interval.
    public func throttled<C: Clock>(
        for interval: C.Instant.Duration, clock: C = ContinuousClock()
    ) -> some AsyncSequence<Element, Failure> & Sendable {
        CoreSequence { ThrottledCore(base: self, interval: interval, clock: clock) }
    }
}

private final class ThrottledCore<Base: AsyncSequence & Sendable, C: Clock>: StreamCore where Base.Element: Sendable {
    typealias Element = Base.Element
    typealias Failure = Base.Failure

    private struct State {
        /// `nil` once the consumer has called `next()`.
        var base: Base?
        var reader: Reader?
        var latest: Element?
        /// When the next element is due; `nil` before the first.
        var due: C.Instant?
        var ending = Ending<Failure>.open
    }

    private let state: Mutex<State>
    private let supply = Signal()
    private let interval: C.Instant.Duration
    private let clock: C

    init(base: Base, interval: C.Instant.Duration, clock: C) {
        state = Mutex(State(base: base))
        self.interval = interval
        self.clock = clock
    }

    func take() -> Delivery<Element, Failure> {
        let now = clock.now
        return state.withLock { state in
            if let base = state.base {
                state.base = nil
                state.reader = Reader(task: startTask { await self.run(base) }, demand: Signal())
            }
            guard let latest = state.latest else { return state.ending.take() }
            if let due = state.due, now < due { return .nothing }
            state.latest = nil
            state.due = now.advanced(by: interval)
            return .element(latest)
        }
    }

    func wait(isolation: isolated (any Actor)?) async {
        guard let due = state.withLock({ $0.latest == nil ? nil : $0.due }) else {
            return await supply.wait(isolation: isolation)
        }
        do {
            try await clock.sleep(until: due, tolerance: nil)
        } catch {
            // `sleep` throws if the task is cancelled.
            cancel()
        }
    }

    func cancel() {
        end(.ended, keepingLatest: false)
    }

    private func run(_ base: Base) async {
        let ending = await read(base, while: { state.withLock { $0.ending.isOpen } }, receive: receive)
        if let ending { end(ending, keepingLatest: true) }
    }

    private func receive(_ element: Element) {
        // Release the replaced element outside the lock.
        _ = state.withLock { state -> Element? in
            guard state.ending.isOpen else { return nil }
            defer { state.latest = element }
            return state.latest
        }
        supply.raise()
    }

    private func end(_ ending: Ending<Failure>, keepingLatest: Bool) {
        let held = state.withLock { state -> State in
            let held = state
            state.base = nil
            state.reader = nil
            if !keepingLatest { state.latest = nil }
            if state.ending.isOpen || !keepingLatest { state.ending = ending }
            return held
        }
        held.reader?.stop()
        supply.raise()
    }
}
