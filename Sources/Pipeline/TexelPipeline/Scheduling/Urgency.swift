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

    /// Calls `body` after each change, with this object: read ``priority`` there, because calls for several changes
    /// may arrive in another order.
    ///
    /// - Returns: the identifier for ``stopObserving(_:)``.
    func observe(_ body: @escaping @Sendable (Urgency) -> Void) -> Int {
        state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
    }

    func stopObserving(_ observer: Int) { state.withLock { _ = $0.observers.removeValue(forKey: observer) } }
}

/// The urgency of shared work: the highest priority of its parts.
final class SharedUrgency: Sendable {
    let combined: Urgency
    private let parts = Mutex<[Int: (urgency: Urgency, observer: Int)]>([:])
    private let nextPart = Atomic(0)

    init() { combined = Urgency(.veryLow) }

    /// - Returns: the identifier for ``remove(_:)``.
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

    /// Sets the priority under the lock, so that the last of several concurrent changes is the one that stays.
    private func update() {
        parts.withLock { parts in
            if let highest = parts.values.map(\.urgency.priority).max() { combined.set(highest) }
        }
    }
}

/// The priority of work relative to other work in the same queue.
public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// For work that may wait for all other work, such as prefetching.
    case veryLow
    case low
    case normal
    case high
    /// For an image whose empty place is visible now.
    case veryHigh

    public static func < (first: Priority, second: Priority) -> Bool { first.rawValue < second.rawValue }
}
