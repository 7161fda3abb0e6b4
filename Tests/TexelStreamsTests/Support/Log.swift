import Synchronization

/// Records events in order, from any task.
final class Log<Entry: Sendable>: Sendable {
    private let state = Mutex<[Entry]>([])

    var all: [Entry] { state.withLock { $0 } }

    @Sendable func note(_ entry: Entry) {
        state.withLock { $0.append(entry) }
    }
}
