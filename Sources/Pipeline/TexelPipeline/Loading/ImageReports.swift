import Synchronization

/// Distributes the events of one piece of work to all tasks that share it. A task that joins late receives the latest
/// event of each kind.
final class ImageReports<Output: Sendable>: Sendable {
    typealias Event = ImageTask<Output>.Event

    private struct State {
        var listeners: [Int: Broadcast<Event>] = [:]
        var lastListener = 0
        var progress: Event?
        var preview: Event?
        var end: Event?
    }

    private let state = Mutex(State())

    static func makeBroadcast() -> Broadcast<Event> {
        Broadcast { event in
            if case .finished = event { true } else { false }
        }
    }

    /// - Returns: the identifier for ``remove(_:)``.
    func add(_ listener: Broadcast<Event>) -> Int {
        let (place, said) = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = listener
            return (state.lastListener, [state.progress, state.preview, state.end])
        }
        for event in said.compactMap(\.self) { Self.send(event, to: listener) }
        return place
    }

    func remove(_ place: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: place) } }

    func send(_ event: Event) {
        let listeners = state.withLock { state in
            guard state.end == nil else { return [Broadcast<Event>]() }
            switch event {
            case .progress: state.progress = event
            case .preview: state.preview = event
            case .finished:
                (state.progress, state.preview) = (nil, nil)
                state.end = event
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { Self.send(event, to: listener) }
    }

    private static func send(_ event: Event, to listener: Broadcast<Event>) {
        listener.send(event)
        if case .finished = event { listener.finish() }
    }
}
