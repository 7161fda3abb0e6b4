import Synchronization

/// The action of a bounded buffer when it is full.
public enum BoundedBufferPolicy: Sendable {
    /// Does not read the base until there is room. No element is lost.
    case suspendsProducer
    /// Keeps reading the base and drops the oldest element to make room.
    case dropsOldest
    /// Keeps reading the base and drops new elements while the buffer is full.
    case dropsNewest
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Reads ahead into a buffer of at most `capacity` elements, so that the base and its consumer can run at different
    /// paces.
    ///
    /// ```
    /// base            ab-cd---|
    /// consumer asks   !---!-!-!--!
    /// bounded(2)      a---b-c-d--|
    /// ```
    ///
    /// The base is read from the consumer's first call on. With `.suspendsProducer` it is read only while there is
    /// room, at most `capacity` elements ahead. Elements that were buffered when the base ended or failed are delivered
    /// before the end or the error. Cancelling the consumer or releasing the iterator cancels the base and releases the
    /// buffer.
    ///
    /// Unlike `buffer(policy:)`, this operator releases the base with its iterator, keeps the base's `Failure` type,
    /// and reports dropped elements.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of buffered elements, at least 1.
    ///   - policy: What happens when the buffer is full.
    ///   - onDrop: Called in the base's task for each dropped element, in order, for example to count or recycle them.
    public func bounded(
        _ capacity: Int, policy: BoundedBufferPolicy = .suspendsProducer,
        onDrop: @escaping @Sendable (Element) -> Void = { _ in }
    ) -> some AsyncSequence<Element, Failure> & Sendable {
        precondition(capacity > 0, "The capacity of a bounded buffer must be at least 1.")
        return CoreSequence { BoundedCore(base: self, capacity: capacity, policy: policy, onDrop: onDrop) }
    }
}

private final class BoundedCore<Base: AsyncSequence & Sendable>: StreamCore where Base.Element: Sendable {
    typealias Element = Base.Element
    typealias Failure = Base.Failure

    private struct State {
        /// `nil` once the consumer has called `next()`.
        var base: Base?
        var reader: Reader?
        var buffer = Queue<Element>()
        var ending = Ending<Failure>.open
    }

    private let state: Mutex<State>
    private let supply = Signal()
    private let capacity: Int
    private let policy: BoundedBufferPolicy
    private let onDrop: @Sendable (Element) -> Void

    init(
        base: Base, capacity: Int, policy: BoundedBufferPolicy, onDrop: @escaping @Sendable (Element) -> Void
    ) {
        state = Mutex(State(base: base))
        self.capacity = capacity
        self.policy = policy
        self.onDrop = onDrop
    }

    func take() -> Delivery<Element, Failure> {
        let (delivery, reader) = state.withLock { state -> (Delivery<Element, Failure>, Reader?) in
            if let base = state.base {
                state.base = nil
                let room = Signal()
                state.reader = Reader(task: startTask { await self.run(base, room: room) }, demand: room)
            }
            guard let element = state.buffer.popFirst() else { return (state.ending.take(), nil) }
            return (.element(element), state.reader)
        }
        reader?.demand.raise()
        return delivery
    }

    func wait(isolation: isolated (any Actor)?) async {
        await supply.wait(isolation: isolation)
    }

    func cancel() {
        end(.ended, keepingBuffer: false)
    }

    private func run(_ base: Base, room: Signal) async {
        let ending = await read(base, while: { await hasRoom(room) }, receive: receive)
        if let ending { end(ending, keepingBuffer: true) }
    }

    private func hasRoom(_ room: Signal) async -> Bool {
        while true {
            let answer = state.withLock { state -> Bool? in
                if !state.ending.isOpen { return false }
                return policy != .suspendsProducer || state.buffer.count < capacity ? true : nil
            }
            if let answer { return answer }
            await room.wait()
        }
    }

    private func receive(_ element: Element) {
        let dropped = state.withLock { state -> Element? in
            guard state.ending.isOpen else { return nil }
            guard state.buffer.count == capacity else {
                state.buffer.append(element)
                return nil
            }
            if policy == .dropsNewest { return element }
            defer { state.buffer.append(element) }
            return state.buffer.popFirst()
        }
        supply.raise()
        if let dropped { onDrop(dropped) }
    }

    private func end(_ ending: Ending<Failure>, keepingBuffer: Bool) {
        // Released outside the lock, as deinitialisers may run arbitrary code.
        let held = state.withLock { state -> State in
            let held = state
            state = State(base: nil, ending: state.ending.isOpen || !keepingBuffer ? ending : state.ending)
            if keepingBuffer { state.buffer = held.buffer }
            return held
        }
        held.reader?.stop()
        supply.raise()
    }
}
