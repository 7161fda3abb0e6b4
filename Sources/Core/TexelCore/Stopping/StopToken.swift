import Synchronization

/// Tells running work that it must stop, because it was cancelled or its time is over.
///
/// Work polls ``reason`` between its steps; this takes no lock. A thread that must block instead of polling is woken
/// when the token or one of its parents is cancelled.
public final class StopToken: Sendable {
    private let isCancelled = Atomic(false)
    private let parent: StopToken?
    private let deadline: ContinuousClock.Instant?
    private let question: (@Sendable () -> StopReason?)?
    private let state = Monitor(State())

    private struct State {
        var handlers: [Handler] = []
        /// Whether the parents wake this token's waiting threads.
        var followsParents = false
        var alarm: (any StopAlarm)?
    }

    private struct Handler {
        /// The token that removes the handler when it is released; `nil` for a handler that stays.
        var owner: ObjectIdentifier?
        var call: @Sendable () -> Void
    }

    /// How often a waiting thread polls a closure, which cannot wake it.
    private static let pollingInterval = Duration.milliseconds(50)

    /// Creates a token that stops when it is cancelled.
    ///
    /// - Parameters:
    ///   - parent: a token that stops this one as well.
    ///   - timeout: how long the work may take from now; `nil` for no limit.
    public init(parent: StopToken? = nil, timeout: Duration? = nil) {
        self.parent = parent
        deadline = timeout.map { ContinuousClock.now + $0 }
        question = nil
    }

    /// Creates a token that also stops when a closure returns a reason.
    ///
    /// - Parameter question: returns the reason to stop, or `nil` to continue; called often, on any thread.
    public init(polling question: @escaping @Sendable () -> StopReason?) {
        parent = nil
        deadline = nil
        self.question = question
    }

    deinit {
        guard parent != nil, state.withLock({ $0.followsParents }) else { return }
        let owner = ObjectIdentifier(self)
        var ancestor = parent
        while let token = ancestor {
            token.state.withLock { $0.handlers.removeAll { $0.owner == owner } }
            ancestor = token.parent
        }
    }

    /// Why the work must stop; `nil` if it may continue.
    public var reason: StopReason? {
        if isCancelled.load(ordering: .acquiring) { return .cancelled }
        if let reason = parent?.reason { return reason }
        if let deadline, ContinuousClock.now >= deadline { return .timedOut }
        return question?()
    }

    /// Whether there is a ``reason`` to stop.
    public var isStopped: Bool { reason != nil }

    /// - Throws: `stopped` if there is a reason to stop.
    package func check() throws(TexelError) {
        if let reason { throw .stopped(reason) }
    }

    /// Cancels this token, calls the registered handlers, and wakes the threads that wait for it. Further calls have no
    /// effect.
    public func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        let handlers = state.withLock { state in
            defer { state.handlers = [] }
            return state.handlers
        }
        wake()
        for handler in handlers { handler.call() }
    }

    /// Calls `handler` once when this token (not its parent) is cancelled; at once if it is cancelled already. A
    /// timeout does not call it.
    package func whenCancelled(_ handler: @escaping @Sendable () -> Void) { add(Handler(call: handler)) }

    private func add(_ handler: Handler) {
        state.withLock { $0.handlers.append(handler) }
        if isCancelled.load(ordering: .sequentiallyConsistent) { cancel() }
    }

    /// The callback for the C shims; `context` is this object, which the codec's owner keeps alive.
    package static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { context in
        guard let context else { return false }
        return Unmanaged<StopToken>.fromOpaque(context).takeUnretainedValue().reason != nil
    }
}

extension StopToken? {
    /// The context of ``StopToken/callback``.
    package var context: UnsafeMutableRawPointer? { self.map { Unmanaged.passUnretained($0).toOpaque() } }
}

// MARK: Waiting

/// Wakes a thread that waits for a token and for something else at the same time.
package protocol StopAlarm: Sendable {
    /// A descriptor that becomes readable once the alarm rings.
    var descriptor: CInt { get }

    /// Makes ``descriptor`` readable. May be called several times.
    func ring()
}

extension StopToken {
    /// Blocks until `time`, or until there is a ``reason`` to stop.
    package func wait(until time: ContinuousClock.Instant) {
        followParents()
        while !isStopped {
            let rest = ContinuousClock.now.duration(to: time)
            guard rest > .zero else { return }
            _ = state.wait(atMost: longestWait.map { min(rest, $0) } ?? rest) { _ in wasCancelled ? true : nil }
        }
    }

    /// Returns the token's alarm, which rings when the token or one of its parents is cancelled. It does not ring when
    /// the time is over: waits must be limited to ``longestWait``.
    ///
    /// - Parameter make: creates the alarm at the first call. It lives as long as the token.
    package func alarm<Failure>(_ make: () throws(Failure) -> any StopAlarm) throws(Failure) -> any StopAlarm {
        followParents()
        let alarm = try state.withLock { (state) throws(Failure) -> any StopAlarm in
            if let alarm = state.alarm { return alarm }
            let alarm = try make()
            state.alarm = alarm
            return alarm
        }
        if wasCancelled { alarm.ring() }
        return alarm
    }

    /// How long a thread may wait for the alarm before it must look at ``reason`` again; `nil` for no limit.
    package var longestWait: Duration? {
        var longest = parent?.longestWait
        if let deadline {
            let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
            longest = min(longest ?? rest, rest)
        }
        if question != nil { longest = min(longest ?? Self.pollingInterval, Self.pollingInterval) }
        return longest
    }

    /// Whether this token or one of its parents was cancelled.
    private var wasCancelled: Bool {
        isCancelled.load(ordering: .sequentiallyConsistent) || parent?.wasCancelled == true
    }

    /// Makes the cancellation of each parent wake the threads that wait for this token.
    private func followParents() {
        guard parent != nil else { return }
        let isFirst = state.withLock { state in
            defer { state.followsParents = true }
            return !state.followsParents
        }
        guard isFirst else { return }
        var ancestor = parent
        while let token = ancestor {
            token.add(Handler(owner: ObjectIdentifier(self)) { [weak self] in self?.wake() })
            ancestor = token.parent
        }
    }

    private func wake() {
        let alarm = state.update { $0.alarm }
        alarm?.ring()
    }
}
