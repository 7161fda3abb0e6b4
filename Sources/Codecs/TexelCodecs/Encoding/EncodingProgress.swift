import Synchronization

/// Reports the progress of encoding an image to a ``RowCounter``.
///
/// The encoder counts parts of its own choice; they are converted to a fixed number of rows.
package final class EncodingProgress: Sendable {
    private struct State {
        /// The rows reported when the current parts began, and the rows reported when they are done.
        var from = 0
        var to = 0
        var partCount = 0
        var partsDone = 0

        var rowsTold: Int { partCount == 0 ? from : from + (to - from) * partsDone / partCount }
    }

    private let counter: RowCounter
    private let rowCount: Int
    private let state = Mutex(State())

    /// - Parameter rowCount: the rows by which the encoding advances the counter.
    package init(_ counter: RowCounter, rowCount: Int) {
        self.counter = counter
        self.rowCount = rowCount
    }

    /// Begins a phase of `partCount` parts; further parts are not counted.
    ///
    /// - Parameter share: the completed share of the whole encoding, 0…1, at the end of this phase. Progress never
    ///   decreases.
    package func begin(partCount: Int, upTo share: Double = 1) {
        state.withLock { state in
            let told = state.rowsTold
            state = State(from: told, to: max(told, Int(share * Double(rowCount))), partCount: partCount)
        }
    }

    /// Counts one completed part.
    package func advance() {
        let rows = state.withLock { state in
            guard state.partsDone < state.partCount else { return 0 }
            let told = state.rowsTold
            state.partsDone += 1
            return state.rowsTold - told
        }
        if rows > 0 { counter.advance(by: rows) }
    }
}
