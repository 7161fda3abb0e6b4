import Synchronization

/// A stream of what a source of callbacks tells, with a clean-up that runs exactly once.
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
/// `register` runs when a consumer first asks, once for each iteration, and gives back how to undo it. That runs exactly
/// once: when the source finishes or fails, when the consuming task is cancelled, or when the iterator is dropped,
/// whichever comes first; if that was during `register`, right after it. It runs where that happens, so a source that
/// finishes while it holds a lock must not need the lock in its clean-up. What was sent before the source finished
/// is still delivered; after a cancellation nothing is.
///
/// The source may keep its sink: a sink keeps no iteration alive.
public struct AsyncCallbackSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy
    /// What became of an element: `.enqueued` and the room that is left, `.dropped` and which one, or `.terminated`.
    public typealias SendResult = AsyncStream<Element>.Continuation.YieldResult

    /// Where a source of callbacks puts what it has, from any thread.
    public struct Sink: Sendable {
        fileprivate let core: CallbackCore<Element, Failure>

        /// Hands an element to the consumer. Never waits.
        @discardableResult
        public func send(_ element: Element) -> SendResult {
            core.send(element)
        }

        /// Ends the stream after what was sent. A second end has no effect.
        public func finish() {
            core.end(.ended, keepingBuffer: true)
        }

        /// Ends the stream with an error, after what was sent.
        public func finish(throwing failure: Failure) {
            core.end(.failed(failure), keepingBuffer: true)
        }
    }

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

    /// - Parameters:
    ///   - bufferingPolicy: how many elements wait for the consumer, and which one is dropped when more come. At least
    ///     one may wait.
    ///   - register: starts the callbacks, and gives back what stops them.
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
        /// Until the consumer asks for the first time.
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
        // What was held is let go of outside the lock: its end may run anybody's code.
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
        // Outside the lock: the source may send, and even finish, while it registers.
        let cleanUp = register(self)
        let isOver = state.withLock { state in
            if state.ending.isOpen { state.cleanUp = cleanUp }
            return !state.ending.isOpen
        }
        if isOver { cleanUp() }
    }
}
