public import DequeModule
public import Synchronization

/// The state that the sender and the listeners of a ``Broadcast`` share.
///
/// Elements are released and tasks resumed outside the lock, because both can run code of the caller.
@usableFromInline final class BroadcastChannel<Element: Sendable>: Sendable {
    @usableFromInline typealias Waiter = CheckedContinuation<Element?, Never>

    @usableFromInline let isKept: @Sendable (Element) -> Bool
    @usableFromInline let state = Mutex(BroadcastState<Element, Waiter>())

    @inlinable init(isKept: @escaping @Sendable (Element) -> Bool) { self.isKept = isKept }

    var listenerCount: Int { state.withLock { $0.listenerCount } }

    @inlinable func send(_ element: Element) {
        let isKept = isKept(element)
        let delivery = state.withLock { $0.send(element, isKept: isKept) }
        for taker in delivery.takers { taker.resume(returning: element) }
    }

    @inlinable func finish() {
        for waiter in state.withLock({ $0.finish() }) { waiter.resume(returning: nil) }
    }

    @inlinable func add(bufferingNewest count: Int, _ drops: BroadcastDrops) -> Int {
        state.withLock { $0.add(capacity: max(0, count), drops) }
    }

    @inlinable func remove(_ number: Int) {
        let listener = state.withLock { $0.remove(number) }
        for waiter in listener?.waiters ?? [] { waiter.resume(returning: nil) }
    }

    @inlinable func take(_ number: Int) -> BroadcastAnswer<Element> {
        state.withLock { $0.take(number) }
    }

    /// Resumes `waiter` as soon as there is an element or the end.
    @inlinable func wait(_ number: Int, _ waiter: Waiter) {
        switch state.withLock({ $0.take(number, orWait: waiter) }) {
        case .element(let element): waiter.resume(returning: element)
        case .end: waiter.resume(returning: nil)
        case .nothingYet: break
        }
    }
}

/// Counts the elements that a listener missed.
@usableFromInline final class BroadcastDrops: Sendable {
    @usableFromInline let number = Atomic(0)

    @inlinable init() {}

    @inlinable var count: Int { number.load(ordering: .relaxed) }
    @inlinable func add() { number.add(1, ordering: .relaxed) }
}
