/// Starts a task of an operator where the consumer prefers to run: a new task does not take that over by itself.
func startTask(_ operation: sending @escaping () async -> Void) -> Task<Void, Never> {
    var preference: (any TaskExecutor)?
    #if compiler(>=6.3)
        if #available(macOS 26.4, *) {
            preference = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        }
    #endif
    return Task(executorPreference: preference, operation: operation)
}

/// A task that reads one of an operator's bases, and how to wake it while it waits to be asked.
struct Reader: Sendable {
    let task: Task<Void, Never>
    let demand: Signal

    /// Cancels the reading. It ends as soon as the base heeds the cancellation.
    func stop() {
        task.cancel()
        demand.raise()
    }
}

/// Reads a sequence in the calling task, one element each time that `mayRead` agrees.
///
/// - Returns: how the sequence ended; nil where `mayRead` did not agree. The sequence's iterator is gone by then.
func read<Base: AsyncSequence>(
    _ base: Base, while mayRead: () async -> Bool, receive: (Base.Element) -> Void
) async -> Ending<Base.Failure>? {
    var iterator = base.makeAsyncIterator()
    do throws(Base.Failure) {
        while await mayRead() {
            guard let element = try await iterator.next(isolation: nil) else { return .ended }
            receive(element)
        }
        return nil
    } catch {
        return .failed(error)
    }
}
