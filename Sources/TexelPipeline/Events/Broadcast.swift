/// One stream of elements to many listeners, none of which can hold up the sender or another listener.
///
///     let broadcast = Broadcast<Step>(keeping: \.isLast)
///     let listener = broadcast.listen(bufferingNewest: 16)
///     broadcast.send(step)
///     for await step in listener { … }
///
/// Elements are of two kinds. *Kept* ones are never lost: they are stored once for all, every listener gets all of them
/// in their order, and a listener that comes late gets those sent before it came. They are what a stream comes to (the
/// result of a task, the results of a batch), so a stream that ends holds few. All others *pass*: each listener has a
/// buffer of its own for them, and where that is full, the oldest gives way to the newest. Of those, one that comes late
/// gets the newest, unless something was kept since.
///
/// What one listener gets is in the order sent. The stream ends with ``finish()`` or when its last owner lets go of it;
/// listeners, also those that come after the end, first get what is there for them.
public final class Broadcast<Element: Sendable>: Sendable {
    private let channel: BroadcastChannel<Element>

    /// - Parameter isKept: says which elements every listener must get; called once for each, outside all locks.
    public init(keeping isKept: @escaping @Sendable (Element) -> Bool) {
        channel = BroadcastChannel(isKept: isKept)
    }

    deinit { channel.finish() }

    /// Gives an element to all listeners, at once to those that wait; never waits itself. After the end nothing is sent.
    public func send(_ element: Element) { channel.send(element) }

    /// Ends the stream.
    public func finish() { channel.finish() }

    /// Begins to listen now, though nobody may iterate yet.
    ///
    /// - Parameter count: how many passing elements may wait for the listener. With 0 there are none, only kept ones.
    public func listen(bufferingNewest count: Int) -> BroadcastListener<Element> {
        BroadcastListener(channel, bufferingNewest: count)
    }

    /// Those that could still get something.
    var listenerCount: Int { channel.listenerCount }
}

/// One who listens to a ``Broadcast``: a sequence for one task, which ends at once when that task is cancelled.
///
/// Its place and buffer are given up at the end, by cancellation, or when nobody holds it or an iterator any more.
public struct BroadcastListener<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    private let place: BroadcastPlace<Element>

    fileprivate init(_ channel: BroadcastChannel<Element>, bufferingNewest count: Int) {
        place = BroadcastPlace(channel, bufferingNewest: count)
    }

    /// How many passing elements gave way to newer ones so far.
    public var droppedCount: Int { place.droppedCount }

    /// All iterators take from the same buffer.
    public func makeAsyncIterator() -> Iterator { Iterator(place: place) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let place: BroadcastPlace<Element>

        public mutating func next() async -> Element? { await place.next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await place.next(isolation: actor)
        }
    }

    /// What is there now, without waiting.
    package func poll() -> BroadcastAnswer<Element> { place.poll() }
}

/// A listener's registration, which ends with it.
private final class BroadcastPlace<Element: Sendable>: Sendable {
    private let channel: BroadcastChannel<Element>
    private let number: Int
    /// Counted here, so that it is known after the end.
    private let drops = BroadcastDrops()

    init(_ channel: BroadcastChannel<Element>, bufferingNewest count: Int) {
        self.channel = channel
        number = channel.add(bufferingNewest: count, drops)
    }

    deinit { channel.remove(number) }

    var droppedCount: Int { drops.count }

    func poll() -> BroadcastAnswer<Element> { channel.take(number) }

    func next(isolation actor: isolated (any Actor)?) async -> Element? {
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
            await withCheckedContinuation { channel.wait(number, $0) }
        } onCancel: {
            // Before the wait or in it: either way there is nobody to wait any more.
            channel.remove(number)
        }
    }
}
