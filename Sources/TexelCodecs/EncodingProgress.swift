import Synchronization

extension Effort {
    /// About how many times as long as decoding a row encoding one takes.
    package var rowsOfWork: Int {
        switch self {
        case .fast: 1
        case .balanced: 4
        case .best: 16
        }
    }
}

/// Tells a ``RowCounter`` how far the encoding of a picture is. The encoding stands for a number of rows, whatever the
/// parts of its own that the encoder counts.
package final class EncodingProgress: Sendable {
    private struct State {
        var partCount = 0
        var partsDone = 0
        var rowsTold = 0
    }

    private let counter: RowCounter
    private let rowCount: Int
    private let state = Mutex(State())

    /// - Parameter rowCount: the rows that the counter expects of the encoding.
    package init(_ counter: RowCounter, rowCount: Int) {
        self.counter = counter
        self.rowCount = rowCount
    }

    /// Says how many parts there are, before the first of them is done; at most so many are counted.
    func begin(partCount: Int) { state.withLock { $0 = State(partCount: partCount, rowsTold: $0.rowsTold) } }

    /// One more part is done.
    func advance() {
        let rows = state.withLock { state in
            guard state.partsDone < state.partCount else { return 0 }
            state.partsDone += 1
            let told = state.rowsTold
            state.rowsTold = max(told, rowCount * state.partsDone / state.partCount)
            return state.rowsTold - told
        }
        if rows > 0 { counter.advance(by: rows) }
    }
}
