import Synchronization
public import TexelCodecs

/// Says whether work must stop: somebody cancelled it, or its time is over.
public final class StopToken: Sendable {
    private let isCancelled = Atomic(false)
    private let handlers = Mutex<[@Sendable () -> Void]>([])
    private let parent: StopToken?
    private let deadline: ContinuousClock.Instant?

    /// - Parameters:
    ///   - parent: stops this one as well.
    ///   - timeout: how long the work may take from now; `nil` is for ever.
    public init(parent: StopToken? = nil, timeout: Duration? = nil) {
        self.parent = parent
        self.deadline = timeout.map { ContinuousClock.now + $0 }
    }

    public func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        let waiting = handlers.withLock { handlers in
            defer { handlers = [] }
            return handlers
        }
        for handler in waiting { handler() }
    }

    /// Calls `handler` once when this token itself is cancelled, or at once where it was.
    package func whenCancelled(_ handler: @escaping @Sendable () -> Void) {
        handlers.withLock { $0.append(handler) }
        if isCancelled.load(ordering: .sequentiallyConsistent) { cancel() }
    }

    /// Why to stop; `nil` goes on.
    public var reason: StopReason? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        if let reason = parent?.reason { return reason }
        if let deadline, ContinuousClock.now >= deadline { return .timedOut }
        return nil
    }

    /// The same question in the codecs' form.
    package var check: StopCheck { StopCheck { self.reason } }
}
