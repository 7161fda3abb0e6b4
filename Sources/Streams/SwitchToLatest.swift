import Synchronization

extension AsyncSequence where Self: Sendable, Element: AsyncSequence & Sendable, Element.Element: Sendable {
    /// Delivers the elements of the latest inner sequence only: a new inner sequence cancels the one before.
    ///
    /// ```
    /// outer            -1-----2------|
    /// inner 1          --a-b-c-d-e-f
    /// inner 2          ---------e-f---|
    /// switchToLatest   --a-b-c--e-f---|
    /// ```
    ///
    /// Combined with `map` it is known as `flatMapLatest`:
    ///
    /// ```swift
    /// for try await image in queries.map({ search($0) }).switchToLatest() { show(image) }
    /// ```
    ///
    /// The outer sequence is read continuously from the consumer's first call on, an inner one only on demand. Once a
    /// newer inner sequence has arrived, no element of an older one is delivered, including elements that were read but
    /// not yet taken. The result ends when the outer and the latest inner sequence have ended. An error of either ends
    /// it and cancels the other.
    public func switchToLatest() -> some AsyncSequence<Element.Element, Failure> & Sendable
    where Element.Failure == Failure {
        CoreSequence { SwitchCore(outer: self, outerFailure: { $0 }, innerFailure: { $0 }) }
    }

    /// Delivers the elements of the latest inner sequence only, for an outer sequence that does not fail.
    @_disfavoredOverload
    public func switchToLatest() -> some AsyncSequence<Element.Element, Element.Failure> & Sendable
    where Failure == Never {
        CoreSequence {
            SwitchCore<Self, Element.Failure>(outer: self, outerFailure: { never in never }, innerFailure: { $0 })
        }
    }

    /// Delivers the elements of the latest inner sequence only, for inner sequences that do not fail.
    @_disfavoredOverload
    public func switchToLatest() -> some AsyncSequence<Element.Element, Failure> & Sendable
    where Element.Failure == Never {
        CoreSequence { SwitchCore(outer: self, outerFailure: { $0 }, innerFailure: { never in never }) }
    }
}

private final class SwitchCore<Outer: AsyncSequence & Sendable, Failure: Error>: StreamCore
where Outer.Element: AsyncSequence & Sendable, Outer.Element.Element: Sendable {
    typealias Inner = Outer.Element
    typealias Element = Inner.Element

    private struct State {
        /// `nil` once the consumer has called `next()`.
        var unread: Outer?
        /// `nil` once the outer sequence has ended.
        var outer: Reader?
        /// `nil` once the latest inner sequence has ended.
        var inner: Reader?
        var slot = Slot<Element, Failure>()
    }

    private let state: Mutex<State>
    private let supply = Signal()
    private let outerFailure: @Sendable (Outer.Failure) -> Failure
    private let innerFailure: @Sendable (Inner.Failure) -> Failure

    init(
        outer: Outer, outerFailure: @escaping @Sendable (Outer.Failure) -> Failure,
        innerFailure: @escaping @Sendable (Inner.Failure) -> Failure
    ) {
        state = Mutex(State(unread: outer))
        self.outerFailure = outerFailure
        self.innerFailure = innerFailure
    }

    func take() -> Delivery<Element, Failure> {
        let (delivery, inner) = state.withLock { state -> (Delivery<Element, Failure>, Reader?) in
            if let outer = state.unread {
                state.unread = nil
                state.outer = Reader(task: startTask { await self.run(outer) }, demand: Signal())
            }
            return (state.slot.take(), state.inner)
        }
        if case .nothing = delivery { inner?.demand.raise() }
        return delivery
    }

    func wait(isolation: isolated (any Actor)?) async {
        await supply.wait(isolation: isolation)
    }

    func cancel() {
        // Released outside the lock, as deinitialisers may run arbitrary code.
        let held = state.withLock { state -> State in
            let held = state
            state = State()
            state.slot.ending = .ended
            return held
        }
        held.outer?.stop()
        held.inner?.stop()
        supply.raise()
    }

    // MARK: The outer sequence's task

    private func run(_ outer: Outer) async {
        let ending = await read(
            outer, while: { state.withLock { $0.slot.ending.isOpen } }, receive: { self.replaceInner(by: $0) })
        switch ending {
        case .ended: outerEnded()
        case .failed(let failure): fail(outerFailure(failure)) { _ in true }
        case .open, nil: break
        }
    }

    private func replaceInner(by inner: Inner) {
        let (old, _) = state.withLock { state -> (Reader?, Element?) in
            defer { state.inner = nil }
            return (state.inner, state.slot.clear())
        }
        // Cancel the old sequence before the new one starts.
        old?.stop()
        let demand = Signal()
        state.withLock { state in
            guard state.slot.ending.isOpen else { return }
            let task = startTask { await self.run(inner, demand: demand) }
            state.inner = Reader(task: task, demand: demand)
        }
    }

    private func outerEnded() {
        state.withLock { state in
            state.outer = nil
            if state.inner == nil, state.slot.ending.isOpen { state.slot.ending = .ended }
        }
        supply.raise()
    }

    // MARK: An inner sequence's task

    private func run(_ inner: Inner, demand: Signal) async {
        let ending = await read(
            inner, while: { await isWanted(demand) },
            receive: { element in
                state.withLock { state in
                    if state.inner?.demand === demand { state.slot.put(element) }
                }
                supply.raise()
            })
        switch ending {
        case .ended: innerEnded(demand)
        case .failed(let failure): fail(innerFailure(failure)) { $0.inner?.demand === demand }
        case .open, nil: break
        }
    }

    private func innerEnded(_ demand: Signal) {
        state.withLock { state in
            guard state.inner?.demand === demand else { return }
            state.inner = nil
            if state.outer == nil { state.slot.ending = .ended }
        }
        supply.raise()
    }

    private func isWanted(_ demand: Signal) async -> Bool {
        while true {
            let answer = state.withLock { state -> Bool? in
                if state.inner?.demand !== demand { return false }
                return state.slot.isWanted ? true : nil
            }
            if let answer { return answer }
            await demand.wait()
        }
    }

    // MARK: Either one's failure

    /// Ends the iteration with an error and cancels both tasks.
    ///
    /// - Parameter isCurrent: Whether the failed sequence is still in use.
    private func fail(_ failure: Failure, where isCurrent: (State) -> Bool) {
        let stopped = state.withLock { state -> [Reader?] in
            guard state.slot.ending.isOpen, isCurrent(state) else { return [] }
            defer { (state.outer, state.inner) = (nil, nil) }
            state.slot.ending = .failed(failure)
            return [state.outer, state.inner]
        }
        for reader in stopped { reader?.stop() }
        supply.raise()
    }
}
