import Synchronization

/// Counts live items.
final class Census: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    fileprivate func change(by difference: Int) {
        state.withLock { $0 += difference }
    }
}

/// An element that knows its source; a census detects if it is never released.
final class Item: Sendable, CustomStringConvertible {
    let source: Int
    let index: Int
    private let census: Census

    init(_ index: Int, of source: Int = 0, census: Census) {
        self.source = source
        self.index = index
        self.census = census
        census.change(by: 1)
    }

    deinit { census.change(by: -1) }

    var description: String { "\(source).\(index)" }
}
