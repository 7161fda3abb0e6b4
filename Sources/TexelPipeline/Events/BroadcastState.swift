import DequeModule

/// What there is for a listener.
package enum BroadcastAnswer<Element> {
    case element(Element)
    case nothingYet
    case end
}

/// The rules of a ``Broadcast``, without locks and tasks.
struct BroadcastState<Element, Waiter> {
    /// An element with its place in the order of all that were sent.
    struct Numbered {
        var number: Int
        var element: Element
    }

    struct Listener {
        let capacity: Int
        let drops: BroadcastDrops
        /// Passing elements, at most `capacity`.
        var buffer = Deque<Numbered>()
        /// How many of the kept elements it has had.
        var keptCount = 0
        /// While there are any, there is nothing to take.
        var waiters = Deque<Waiter>()
    }

    /// What sending an element comes to.
    struct Delivery {
        /// Who gets the element at once.
        var takers: [Waiter] = []
        /// Elements that were let go of, to be destroyed elsewhere.
        fileprivate var released: (newest: Numbered?, dropped: [Numbered]) = (nil, [])
    }

    private var kept: [Numbered] = []
    /// The newest passing element, if nothing was kept since.
    private var newest: Numbered?
    private var sentCount = 0
    private var isFinished = false
    private var listeners: [Int: Listener] = [:]
    private var nextListener = 0

    var listenerCount: Int { listeners.count }

    mutating func send(_ element: Element, isKept: Bool) -> Delivery {
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

    /// - Returns: who waits in vain.
    mutating func finish() -> [Waiter] {
        isFinished = true
        var waiters: [Waiter] = []
        for index in listeners.values.indices {
            waiters += listeners.values[index].waiters
            listeners.values[index].waiters = Deque()
        }
        return waiters
    }

    /// - Returns: the new listener's number.
    mutating func add(capacity: Int, _ drops: BroadcastDrops) -> Int {
        var listener = Listener(capacity: capacity, drops: drops)
        if let newest, capacity > 0 { listener.buffer.append(newest) }
        nextListener += 1
        listeners[nextListener] = listener
        return nextListener
    }

    mutating func remove(_ number: Int) -> Listener? { listeners.removeValue(forKey: number) }

    /// The older of the next kept and the next passing element.
    mutating func take(_ number: Int) -> BroadcastAnswer<Element> {
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

    mutating func take(_ number: Int, orWait waiter: Waiter) -> BroadcastAnswer<Element> {
        let answer = take(number)
        if case .nothingYet = answer { listeners[number]?.waiters.append(waiter) }
        return answer
    }
}

extension BroadcastState.Listener {
    /// - Returns: who takes the element; otherwise it is found among the kept ones later.
    fileprivate mutating func receiveKept() -> Waiter? {
        let taker = waiters.popFirst()
        if taker != nil { keptCount += 1 }
        return taker
    }

    /// - Returns: who takes the element; otherwise it is in the buffer.
    fileprivate mutating func receive(
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
