public import DequeModule
import TexelCore

/// The answer to a listener that takes its next element.
@usableFromInline package enum BroadcastAnswer<Element> {
    case element(Element)
    case nothingYet
    case end
}

/// The delivery rules of a ``Broadcast``, without locks and tasks.
@usableFromInline struct BroadcastState<Element, Waiter> {
    /// An element with its position in the sequence of all elements sent.
    @usableFromInline struct Numbered {
        @usableFromInline var number: Int
        @usableFromInline var element: Element

        @inlinable init(number: Int, element: Element) {
            self.number = number
            self.element = element
        }
    }

    @usableFromInline struct Listener {
        @usableFromInline let capacity: Int
        @usableFromInline let drops: BroadcastDrops
        /// Transient elements, at most `capacity`.
        @usableFromInline var buffer = Deque<Numbered>()
        /// How many kept elements the listener has taken.
        @usableFromInline var keptCount = 0
        /// The waiting iterators; not empty only if there is nothing to take.
        @usableFromInline var waiters = Deque<Waiter>()

        @inlinable init(capacity: Int, drops: BroadcastDrops) {
            self.capacity = capacity
            self.drops = drops
        }
    }

    /// The effects of sending an element that must happen outside the lock.
    @usableFromInline struct Delivery {
        /// The waiters that receive the element at once.
        @usableFromInline var takers: [Waiter] = []
        /// Elements that are no longer stored; held here so that they are released outside the lock.
        @usableFromInline var released: (newest: Numbered?, dropped: [Numbered]) = (nil, [])

        @inlinable init() {}
    }

    @usableFromInline var kept: [Numbered] = []
    /// The newest transient element, if no element was kept after it.
    @usableFromInline var newest: Numbered?
    @usableFromInline var sentCount = 0
    @usableFromInline var isFinished = false
    @usableFromInline var listeners: [Int: Listener] = [:]
    @usableFromInline var nextListener = 0

    @inlinable init() {}

    var listenerCount: Int { listeners.count }

    @inlinable mutating func send(_ element: Element, isKept: Bool) -> Delivery {
        var delivery = Delivery()
        guard !isFinished else { return delivery }
        let numbered = Numbered(number: sentCount, element: element)
        sentCount += 1
        delivery.released.newest = newest
        newest = isKept ? nil : numbered
        if isKept { kept.append(numbered) }
        for index in listeners.values.indices {
            let taker =
                isKept
                ? listeners.values[index].receiveKept()
                : listeners.values[index].receive(numbered, &delivery.released.dropped)
            if let taker { delivery.takers.append(taker) }
        }
        return delivery
    }

    /// - Returns: the waiters, which receive no further element.
    @inlinable mutating func finish() -> [Waiter] {
        isFinished = true
        var waiters: [Waiter] = []
        for index in listeners.values.indices {
            waiters += listeners.values[index].waiters
            listeners.values[index].waiters = Deque()
        }
        return waiters
    }

    /// - Returns: the new listener's number.
    @inlinable mutating func add(capacity: Int, _ drops: BroadcastDrops) -> Int {
        var listener = Listener(capacity: capacity, drops: drops)
        if let newest, capacity > 0 { listener.buffer.append(newest) }
        nextListener += 1
        listeners[nextListener] = listener
        return nextListener
    }

    @inlinable mutating func remove(_ number: Int) -> Listener? { listeners.removeValue(forKey: number) }

    /// Takes the next kept or the next transient element, whichever was sent first.
    @inlinable mutating func take(_ number: Int) -> BroadcastAnswer<Element> {
        guard let index = listeners.index(forKey: number) else { return .end }
        let keptCount = listeners.values[index].keptCount
        let nextKept = keptCount < kept.count ? kept[keptCount] : nil
        if let first = listeners.values[index].buffer.first, first.number < nextKept?.number ?? .max {
            listeners.values[index].buffer.removeFirst()
            return .element(first.element)
        }
        if let nextKept {
            listeners.values[index].keptCount += 1
            return .element(nextKept.element)
        }
        return isFinished ? .end : .nothingYet
    }

    @inlinable mutating func take(_ number: Int, orWait waiter: Waiter) -> BroadcastAnswer<Element> {
        let answer = take(number)
        if case .nothingYet = answer { listeners[number]?.waiters.append(waiter) }
        return answer
    }
}

extension BroadcastState.Listener {
    /// - Returns: the waiter that takes the element, if any; otherwise the listener finds it in `kept` later.
    @inlinable mutating func receiveKept() -> Waiter? {
        let taker = waiters.popFirst()
        if taker != nil { keptCount += 1 }
        return taker
    }

    /// - Returns: the waiter that takes the element, if any; otherwise the element is in the buffer.
    @inlinable mutating func receive(
        _ numbered: BroadcastState.Numbered, _ dropped: inout [BroadcastState.Numbered]
    ) -> Waiter? {
        if capacity == 0 { return nil }
        if let taker = waiters.popFirst() { return taker }
        if buffer.count == capacity, let oldest = buffer.popFirst() {
            dropped.append(oldest)
            drops.add()
        }
        buffer.append(numbered)
        return nil
    }
}
