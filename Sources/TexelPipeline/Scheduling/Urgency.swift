import Synchronization

/// A priority that may change while the work it belongs to waits or runs.
package final class Urgency: Sendable {
    private struct State {
        var priority: Priority
        var observers: [Int: @Sendable (Urgency) -> Void] = [:]
        var nextObserver = 0
    }

    private let state: Mutex<State>

    package init(_ priority: Priority = .normal) { state = Mutex(State(priority: priority)) }

    package var priority: Priority { state.withLock { $0.priority } }

    package func set(_ priority: Priority) {
        let observers = state.withLock { state in
            guard state.priority != priority else { return [@Sendable (Urgency) -> Void]() }
            state.priority = priority
            return Array(state.observers.values)
        }
        for observer in observers { observer(self) }
    }

    /// Calls `body` after each change. It asks for the priority itself, because changes may overtake each other.
    ///
    /// - Returns: what ``stopObserving(_:)`` wants to know.
    func observe(_ body: @escaping @Sendable (Urgency) -> Void) -> Int {
        state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
    }

    func stopObserving(_ observer: Int) { state.withLock { _ = $0.observers.removeValue(forKey: observer) } }
}

/// The urgency of work that several wait for: the highest of theirs.
final class SharedUrgency: Sendable {
    let combined: Urgency
    private let parts = Mutex<[Int: (urgency: Urgency, observer: Int)]>([:])
    private let nextPart = Atomic(0)

    init() { combined = Urgency(.veryLow) }

    /// - Returns: what ``remove(_:)`` wants to know.
    func add(_ urgency: Urgency) -> Int {
        let part = nextPart.wrappingAdd(1, ordering: .relaxed).newValue
        let observer = urgency.observe { [weak self] _ in self?.update() }
        parts.withLock { $0[part] = (urgency, observer) }
        update()
        return part
    }

    func remove(_ part: Int) {
        guard let (urgency, observer) = parts.withLock({ $0.removeValue(forKey: part) }) else { return }
        urgency.stopObserving(observer)
        update()
    }

    /// Under the lock, so that of two changes the later one stays.
    private func update() {
        parts.withLock { parts in
            if let highest = parts.values.map(\.urgency.priority).max() { combined.set(highest) }
        }
    }
}
