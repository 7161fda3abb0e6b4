import Synchronization

/// A task that reads a stream to its end and records what it receives, either continuously or one element on request.
final class Consumer: Sendable {
    private struct State {
        var marks: [Mark] = []
        var allowance: Int
        var waiting: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state: Mutex<State>
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    /// Starts the task.
    ///
    /// - Parameter limit: The number of elements after which it drops its iterator.
    init<Stream: AsyncSequence & Sendable>(
        of stream: Stream, on executor: ManualExecutor, asksByItself: Bool = true, limit: Int = .max,
        onElement: @escaping @Sendable (Stream.Element) -> Void = { _ in }
    ) where Stream.Element: Sendable {
        state = Mutex(State(allowance: asksByItself ? .max : 0))
        let task = Task(executorPreference: executor) {
            await self.read(stream, limit: limit, onElement: onElement)
        }
        self.task.withLock { $0 = task }
    }

    /// Returns and clears the recorded events.
    func takeMarks() -> [Mark] {
        state.withLock { state in
            defer { state.marks = [] }
            return state.marks
        }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    func ask() {
        let waiting = state.withLock { state in
            if state.allowance != .max { state.allowance += 1 }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    func cancel() {
        task.withLock { $0 }?.cancel()
        // A cancelled consumer calls `next()` once more, as every loop does.
        ask()
    }

    private func read<Stream: AsyncSequence>(
        _ stream: Stream, limit: Int, onElement: (Stream.Element) -> Void
    ) async {
        var iterator = stream.makeAsyncIterator()
        var count = 0
        do {
            while count < limit {
                await allowance()
                guard let element = try await iterator.next(isolation: nil) else {
                    note(.end)
                    break
                }
                onElement(element)
                note(.element("\(element)"))
                count += 1
            }
        } catch {
            note(.failure)
        }
        if count < limit { await readOn(&iterator) }
        state.withLock { $0.isOver = true }
    }

    /// After the end, `next()` must return `nil`.
    private func readOn<Iterator: AsyncIteratorProtocol>(_ iterator: inout Iterator) async {
        do {
            if let element = try await iterator.next(isolation: nil) { note(.element("\(element) after the end")) }
        } catch {
            note(.failure)
        }
    }

    private func note(_ mark: Mark) {
        state.withLock { $0.marks.append(mark) }
    }

    private func allowance() async {
        while true {
            let mayGoOn = state.withLock { state in
                guard state.allowance > 0 else { return false }
                if state.allowance != .max { state.allowance -= 1 }
                return true
            }
            if mayGoOn { return }
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    if state.allowance == 0 { state.waiting = continuation }
                    return state.allowance > 0
                }
                if mayGoOn { continuation.resume() }
            }
        }
    }
}
