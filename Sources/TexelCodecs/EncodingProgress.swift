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
        /// The rows that were told before the present parts, and those that will have been after them.
        var from = 0
        var to = 0
        var partCount = 0
        var partsDone = 0

        var rowsTold: Int { partCount == 0 ? from : from + (to - from) * partsDone / partCount }
    }

    private let counter: RowCounter
    private let rowCount: Int
    private let state = Mutex(State())

    /// - Parameter rowCount: the rows that the counter expects of the encoding.
    package init(_ counter: RowCounter, rowCount: Int) {
        self.counter = counter
        self.rowCount = rowCount
    }

    /// Says how many parts come next; no more than that are counted.
    ///
    /// - Parameter share: how much of the whole is done when they are, of 1. What was told before stays told.
    func begin(partCount: Int, upTo share: Double = 1) {
        state.withLock { state in
            let told = state.rowsTold
            state = State(from: told, to: max(told, Int(share * Double(rowCount))), partCount: partCount)
        }
    }

    /// One more part is done.
    func advance() {
        let rows = state.withLock { state in
            guard state.partsDone < state.partCount else { return 0 }
            let told = state.rowsTold
            state.partsDone += 1
            return state.rowsTold - told
        }
        if rows > 0 { counter.advance(by: rows) }
    }
}
