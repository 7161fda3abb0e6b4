import Synchronization

/// A sequence of the values that a callback API sends, with a clean-up that runs exactly once.
///
/// ```swift
/// let changes = AsyncCallbackSequence<String, Never> { sink in
///     let token = watcher.observe { name in sink.send(name) }
///     return { watcher.remove(token) }
/// }
/// for await name in changes { … }
/// ```
///
/// ```
/// sends           --a--bc--|
/// consumer asks   !-----!!!!
/// stream          --a---bc-|
/// cleaned up               *
/// ```
///
/// `register` runs when a consumer first calls `next()`, once for each iterator, and returns the clean-up. The clean-up
/// runs exactly once: when the source finishes or fails, when the consuming task is cancelled, or when the iterator is
/// released, whichever comes first. If that happens during `register`, it runs right after. It runs on the thread that
/// caused it, so a source that finishes while it holds a lock must not take that lock in its clean-up. Values sent
/// before the end are still delivered; after a cancellation none is.
///
/// The source may keep its sink: a sink does not keep an iteration alive.
public struct AsyncCallbackSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// How many values are buffered, and which are dropped when the buffer is full.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy
    /// The result of a send: `.enqueued` with the remaining room, `.dropped` with the dropped value, or `.terminated`.
    public typealias SendResult = AsyncStream<Element>.Continuation.YieldResult

    /// Receives values from the callbacks, on any thread.
    public struct Sink: Sendable {
        fileprivate let core: CallbackCore<Element, Failure>

        /// Sends a value to the consumer. Does not block.
        @discardableResult
        public func send(_ element: Element) -> SendResult {
            core.send(element)
        }

        /// Ends the sequence after the values sent so far. Further ends have no effect.
        public func finish() {
            core.end(.ended, keepingBuffer: true)
        }

        /// Ends the sequence with an error, after the values sent so far.
        public func finish(throwing failure: Failure) {
            core.end(.failed(failure), keepingBuffer: true)
        }
    }

    /// Delivers the values of one registration.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let iteration: Iteration<CallbackCore<Element, Failure>>

        public mutating func next() async throws(Failure) -> Element? {
            try await iteration.core.next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await iteration.core.next(isolation: actor)
        }
    }

    private let bufferingPolicy: BufferingPolicy
    private let register: @Sendable (Sink) -> @Sendable () -> Void

    /// Creates a sequence.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many values are buffered, and which are dropped when the buffer is full. At least one
    ///     is always buffered.
    ///   - register: Starts the callbacks and returns the clean-up, which stops them.
    public init(
        bufferingPolicy: BufferingPolicy = .unbounded,
        register: @escaping @Sendable (Sink) -> @Sendable () -> Void
    ) {
        self.bufferingPolicy = bufferingPolicy
        self.register = register
    }

    public func makeAsyncIterator() -> Iterator {
        let core = CallbackCore<Element, Failure>(bufferingPolicy: bufferingPolicy) { [register] core in
            register(Sink(core: core))
        }
        return Iterator(iteration: Iteration(core))
    }
}

@available(*, unavailable)
extension AsyncCallbackSequence.Iterator: Sendable {}

private final class CallbackCore<Element: Sendable, Failure: Error>: StreamCore {
    typealias CleanUp = @Sendable () -> Void
    typealias Register = @Sendable (CallbackCore) -> CleanUp
    typealias Sent = AsyncStream<Element>.Continuation.YieldResult

    private struct State {
        /// `nil` once the consumer has called `next()`.
        var register: Register?
        var cleanUp: CleanUp?
        var buffer = Queue<Element>()
        var ending = Ending<Failure>.open
    }

    private let state: Mutex<State>
    private let supply = Signal()
    private let bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy

    init(bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy, register: @escaping Register) {
        state = Mutex(State(register: register))
        self.bufferingPolicy = bufferingPolicy
    }

    func take() -> Delivery<Element, Failure> {
        registerOnce()
        return state.withLock { state in
            guard let element = state.buffer.popFirst() else { return state.ending.take() }
            return .element(element)
        }
    }

    func wait(isolation: isolated (any Actor)?) async {
        await supply.wait(isolation: isolation)
    }

    func cancel() {
        end(.ended, keepingBuffer: false)
    }

    func send(_ element: Element) -> Sent {
        let sent = state.withLock { state -> Sent in
            guard state.ending.isOpen else { return .terminated }
            switch bufferingPolicy {
            case .bufferingOldest(let count):
                let limit = max(1, count)
                if state.buffer.count >= limit { return .dropped(element) }
                state.buffer.append(element)
                return .enqueued(remaining: limit - state.buffer.count)
            case .bufferingNewest(let count):
                let limit = max(1, count)
                state.buffer.append(element)
                if state.buffer.count > limit, let oldest = state.buffer.popFirst() { return .dropped(oldest) }
                return .enqueued(remaining: limit - state.buffer.count)
            case .unbounded: fallthrough
            @unknown default:
                state.buffer.append(element)
                return .enqueued(remaining: .max)
            }
        }
        supply.raise()
        return sent
    }

    func end(_ ending: Ending<Failure>, keepingBuffer: Bool) {
        // Released outside the lock, as deinitialisers may run arbitrary code.
        let held = state.withLock { state -> State in
            let held = state
            state = State(ending: state.ending.isOpen || !keepingBuffer ? ending : state.ending)
            if keepingBuffer { state.buffer = held.buffer }
            return held
        }
        held.cleanUp?()
        supply.raise()
    }

    private func registerOnce() {
        let register = state.withLock { state -> Register? in
            defer { state.register = nil }
            return state.register
        }
        guard let register else { return }
        // Outside the lock: the source may send, or even finish, during registration.
        let cleanUp = register(self)
        let isOver = state.withLock { state in
            if state.ending.isOpen { state.cleanUp = cleanUp }
            return !state.ending.isOpen
        }
        if isOver { cleanUp() }
    }
}
