import Synchronization

/// The state that the sender and the listeners of a ``Broadcast`` share.
///
/// Elements are released and tasks resumed outside the lock, because both can run code of the caller.
final class BroadcastChannel<Element: Sendable>: Sendable {
    typealias Waiter = CheckedContinuation<Element?, Never>

    private let isKept: @Sendable (Element) -> Bool
    private let state = Mutex(BroadcastState<Element, Waiter>())

    init(isKept: @escaping @Sendable (Element) -> Bool) { self.isKept = isKept }

    var listenerCount: Int { state.withLock { $0.listenerCount } }

    func send(_ element: Element) {
        let isKept = isKept(element)
        let delivery = state.withLock { $0.send(element, isKept: isKept) }
        for taker in delivery.takers { taker.resume(returning: element) }
    }

    func finish() {
        for waiter in state.withLock({ $0.finish() }) { waiter.resume(returning: nil) }
    }

    func add(bufferingNewest count: Int, _ drops: BroadcastDrops) -> Int {
        state.withLock { $0.add(capacity: max(0, count), drops) }
    }

    func remove(_ number: Int) {
        let listener = state.withLock { $0.remove(number) }
        for waiter in listener?.waiters ?? [] { waiter.resume(returning: nil) }
    }

    func take(_ number: Int) -> BroadcastAnswer<Element> {
        state.withLock { $0.take(number) }
    }

    /// Resumes `waiter` as soon as there is an element or the end.
    func wait(_ number: Int, _ waiter: Waiter) {
        switch state.withLock({ $0.take(number, orWait: waiter) }) {
        case .element(let element): waiter.resume(returning: element)
        case .end: waiter.resume(returning: nil)
        case .nothingYet: break
        }
    }
}

/// Counts the elements that a listener missed.
final class BroadcastDrops: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}
