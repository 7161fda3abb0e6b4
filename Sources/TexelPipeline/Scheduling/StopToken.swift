import Synchronization
public import TexelCodecs

/// Tells running work that it must stop, because it was cancelled or its time is over.
public final class StopToken: Sendable {
    private let isCancelled = Atomic(false)
    private let handlers = Mutex<[@Sendable () -> Void]>([])
    private let parent: StopToken?
    private let deadline: ContinuousClock.Instant?

    /// - Parameters:
    ///   - parent: a token that stops this one as well.
    ///   - timeout: how long the work may take from now; `nil` for no limit.
    public init(parent: StopToken? = nil, timeout: Duration? = nil) {
        self.parent = parent
        self.deadline = timeout.map { ContinuousClock.now + $0 }
    }

    /// Cancels this token and calls the registered handlers. Further calls have no effect.
    public func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        let waiting = handlers.withLock { handlers in
            defer { handlers = [] }
            return handlers
        }
        for handler in waiting { handler() }
    }

    /// Calls `handler` once when this token (not its parent) is cancelled; at once if it is cancelled already. A
    /// timeout does not call it.
    package func whenCancelled(_ handler: @escaping @Sendable () -> Void) {
        handlers.withLock { $0.append(handler) }
        if isCancelled.load(ordering: .sequentiallyConsistent) { cancel() }
    }

    /// Why the work must stop; `nil` if it may continue.
    public var reason: StopReason? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        if let reason = parent?.reason { return reason }
        if let deadline, ContinuousClock.now >= deadline { return .timedOut }
        return nil
    }

    /// ``reason`` as the check that the codecs take.
    package var check: StopCheck { StopCheck { self.reason } }
}
