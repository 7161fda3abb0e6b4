/// Starts a task with the current task's executor preference, which unstructured tasks do not inherit.
func startTask(_ operation: sending @escaping () async -> Void) -> Task<Void, Never> {
    var preference: (any TaskExecutor)?
    #if compiler(>=6.3)
        if #available(macOS 26.4, *) {
            preference = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        }
    #endif
    return Task(executorPreference: preference, operation: operation)
}

/// A task that reads one of an operator's bases, and the signal that wakes it when an element is needed.
struct Reader: Sendable {
    let task: Task<Void, Never>
    let demand: Signal

    /// Cancels the task, which ends as soon as the base reacts to the cancellation.
    func stop() {
        task.cancel()
        demand.raise()
    }
}

/// Reads a sequence in the calling task. Before each element, `mayRead` waits for demand and returns whether to go on.
///
/// - Returns: How the sequence ended; `nil` if `mayRead` returned `false`. The iterator has been released by then.
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
