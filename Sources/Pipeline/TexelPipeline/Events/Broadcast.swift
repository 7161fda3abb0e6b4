public import DequeModule
public import Synchronization
import TexelCore

/// Sends one stream of elements to any number of listeners. No listener can delay the sender or another listener.
///
///     let broadcast = Broadcast<Step>(keeping: \.isLast)
///     let listener = broadcast.listen(bufferingNewest: 16)
///     broadcast.send(step)
///     for await step in listener { … }
///
/// Elements are *kept* or *transient*. Kept elements are never lost: they are stored once for all listeners, and
/// every listener receives all of them in order, including those sent before it was added. Use them for results, and
/// keep few of them, because they stay in memory as long as the stream. Transient elements go into a buffer of each
/// listener; when it is full, the oldest is dropped. A new listener receives the newest transient element, unless an
/// element was kept after it.
///
/// Each listener receives its elements in the order they were sent. The stream ends with ``finish()`` or when the
/// broadcast is deinitialised; listeners, including those added later, first receive the elements that remain for
/// them.
///
/// Inlinable, so that modules with elements of their own get specialised code.
public final class Broadcast<Element: Sendable>: Sendable {
    @usableFromInline let channel: BroadcastChannel<Element>

    /// - Parameter isKept: whether every listener must receive an element; called once for each element, outside all
    ///   locks.
    @inlinable public init(keeping isKept: @escaping @Sendable (Element) -> Bool) {
        channel = BroadcastChannel(isKept: isKept)
    }

    @inlinable deinit { channel.finish() }

    /// Sends an element to all listeners without waiting, and resumes those that wait for one. Does nothing after the
    /// end.
    @inlinable public func send(_ element: Element) { channel.send(element) }

    /// Ends the stream.
    @inlinable public func finish() { channel.finish() }

    /// Adds a listener. It receives elements from now on, even if its iteration begins later.
    ///
    /// - Parameter count: how many transient elements the listener's buffer holds; with 0 it receives only kept ones.
    @inlinable public func listen(bufferingNewest count: Int) -> BroadcastListener<Element> {
        BroadcastListener(channel, bufferingNewest: count)
    }

    /// The number of listeners that may still receive an element.
    var listenerCount: Int { channel.listenerCount }
}

/// A listener of a ``Broadcast``: a sequence for one task, which ends at once when that task is cancelled.
///
/// Its buffer is freed at the end, on cancellation, or when neither the listener nor an iterator is referenced any
/// more.
public struct BroadcastListener<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    @usableFromInline let place: BroadcastPlace<Element>

    @inlinable init(_ channel: BroadcastChannel<Element>, bufferingNewest count: Int) {
        place = BroadcastPlace(channel, bufferingNewest: count)
    }

    /// How many transient elements were dropped so far because the buffer was full.
    public var droppedCount: Int { place.droppedCount }

    /// Makes an iterator; all iterators share one buffer.
    @inlinable public func makeAsyncIterator() -> Iterator { Iterator(place: place) }

    /// Iterates over a listener's elements.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let place: BroadcastPlace<Element>

        @inlinable init(place: BroadcastPlace<Element>) { self.place = place }

        @inlinable public mutating func next() async -> Element? { await place.next(isolation: nil) }

        @inlinable public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await place.next(isolation: actor)
        }
    }

    /// Takes the next element if there is one, without waiting.
    @inlinable package func poll() -> BroadcastAnswer<Element> { place.poll() }
}

/// A listener's registration with its channel; removed on deinitialisation.
@usableFromInline final class BroadcastPlace<Element: Sendable>: Sendable {
    @usableFromInline let channel: BroadcastChannel<Element>
    @usableFromInline let number: Int
    /// Stored outside the channel, so that the count is available after the end.
    @usableFromInline let drops = BroadcastDrops()

    @inlinable init(_ channel: BroadcastChannel<Element>, bufferingNewest count: Int) {
        self.channel = channel
        number = channel.add(bufferingNewest: count, drops)
    }

    @inlinable deinit { channel.remove(number) }

    var droppedCount: Int { drops.count }

    @inlinable func poll() -> BroadcastAnswer<Element> { channel.take(number) }

    @inlinable func next(isolation actor: isolated (any Actor)?) async -> Element? {
        if Task.isCancelled {
            channel.remove(number)
            return nil
        }
        switch channel.take(number) {
        case .element(let element): return element
        case .end: return nil
        case .nothingYet: break
        }
        return await withTaskCancellationHandler {
            // Naming the actor keeps the closure, and so the wait, on it.
            await withCheckedContinuation(isolation: actor) { channel.wait(number, $0) }
        } onCancel: {
            // This may run before or during the wait; both end by removing the listener.
            channel.remove(number)
        }
    }
}

/// The state that the sender and the listeners of a ``Broadcast`` share.
///
/// Elements are released and tasks resumed outside the lock, because both can run code of the caller.
@usableFromInline final class BroadcastChannel<Element: Sendable>: Sendable {
    @usableFromInline typealias Waiter = CheckedContinuation<Element?, Never>

    @usableFromInline let isKept: @Sendable (Element) -> Bool
    @usableFromInline let state = Mutex(BroadcastState<Element, Waiter>())

    @inlinable init(isKept: @escaping @Sendable (Element) -> Bool) { self.isKept = isKept }

    var listenerCount: Int { state.withLock { $0.listenerCount } }

    @inlinable func send(_ element: Element) {
        let isKept = isKept(element)
        let delivery = state.withLock { $0.send(element, isKept: isKept) }
        for taker in delivery.takers { taker.resume(returning: element) }
    }

    @inlinable func finish() {
        for waiter in state.withLock({ $0.finish() }) { waiter.resume(returning: nil) }
    }

    @inlinable func add(bufferingNewest count: Int, _ drops: BroadcastDrops) -> Int {
        state.withLock { $0.add(capacity: max(0, count), drops) }
    }

    @inlinable func remove(_ number: Int) {
        let listener = state.withLock { $0.remove(number) }
        for waiter in listener?.waiters ?? [] { waiter.resume(returning: nil) }
    }

    @inlinable func take(_ number: Int) -> BroadcastAnswer<Element> {
        state.withLock { $0.take(number) }
    }

    /// Resumes `waiter` as soon as there is an element or the end.
    @inlinable func wait(_ number: Int, _ waiter: Waiter) {
        switch state.withLock({ $0.take(number, orWait: waiter) }) {
        case .element(let element): waiter.resume(returning: element)
        case .end: waiter.resume(returning: nil)
        case .nothingYet: break
        }
    }
}

/// Counts the elements that a listener missed.
@usableFromInline final class BroadcastDrops: Sendable {
    @usableFromInline let number = Atomic(0)

    @inlinable init() {}

    @inlinable var count: Int { number.load(ordering: .relaxed) }
    @inlinable func add() { number.add(1, ordering: .relaxed) }
}
