import DequeModule
import HeapModule

/// The order in which waiting work is admitted: by priority, then by arrival, while there is room for it and for its
/// bytes.
///
/// Every eighth admission goes to the item that has waited longest, so that low priorities do not starve. If the next
/// item does not fit, no other item overtakes it, so that large items do not starve either.
struct AdmissionQueue<Item> {
    /// Identifies a waiting item.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Waiting {
        var item: Item
        var bytes: @Sendable () -> Int
        var priority: Priority
    }

    /// An entry of the priority heap. It is stale once its ticket was removed or has another priority.
    private struct Place: Comparable {
        let number: Int
        let priority: Priority

        static func < (first: Place, second: Place) -> Bool {
            first.priority == second.priority ? first.number > second.number : first.priority < second.priority
        }
    }

    /// Every n-th admission goes to the item that has waited longest.
    private static var fairInterval: Int { 8 }

    private let width: Int
    private let byteBudget: Int
    private var waiting: [Int: Waiting] = [:]
    private var byUrgency = Heap<Place>()
    private var byArrival = Deque<Int>()
    private var lastNumber = 0
    private var admissions = 0
    private(set) var runningCount = 0
    private var bytesInUse = 0

    /// - Parameters:
    ///   - width: how many may run at the same time; at least 1.
    ///   - byteBudget: the bytes that running items may declare together; an item above the budget runs alone.
    init(width: Int, byteBudget: Int) {
        self.width = max(1, width)
        self.byteBudget = max(0, byteBudget)
    }

    var waitingCount: Int { waiting.count }

    /// - Parameter bytes: the memory the item will take; called each time ``admit()`` considers the item.
    mutating func add(_ item: Item, bytes: @escaping @Sendable () -> Int, priority: Priority) -> Ticket {
        lastNumber += 1
        waiting[lastNumber] = Waiting(item: item, bytes: bytes, priority: priority)
        byUrgency.insert(Place(number: lastNumber, priority: priority))
        byArrival.append(lastNumber)
        return Ticket(number: lastNumber)
    }

    /// Removes an item that is still waiting. Returns `nil` if it was admitted already.
    mutating func remove(_ ticket: Ticket) -> Item? {
        defer { if waiting.isEmpty { forgetStalePlaces() } }
        return waiting.removeValue(forKey: ticket.number)?.item
    }

    /// Moves a waiting item to another priority, where it keeps its order of arrival.
    mutating func setPriority(_ priority: Priority, of ticket: Ticket) {
        guard let current = waiting[ticket.number]?.priority, current != priority else { return }
        waiting[ticket.number]?.priority = priority
        byUrgency.insert(Place(number: ticket.number, priority: priority))
    }

    /// Removes the next item from the queue, if there is room for it.
    ///
    /// - Returns: the item, and the bytes to pass to ``release(bytes:)`` when it has finished.
    mutating func admit() -> (item: Item, bytes: Int)? {
        guard runningCount < width, let number = next(), let first = waiting[number],
            let bytes = start(bytes: first.bytes())
        else { return nil }
        waiting[number] = nil
        if waiting.isEmpty { forgetStalePlaces() }
        return (first.item, bytes)
    }

    /// Admits work that was not added to the queue, if nothing waits and there is room.
    ///
    /// - Returns: the bytes to pass to ``release(bytes:)`` when it has finished; `nil` if it was not admitted.
    mutating func admitAtOnce(bytes: Int) -> Int? {
        guard waiting.isEmpty, runningCount < width else { return nil }
        return start(bytes: bytes)
    }

    mutating func release(bytes: Int) {
        runningCount -= 1
        bytesInUse -= bytes
    }

    /// Counts an item as running if there is room for its bytes, which come from the caller and may be negative.
    private mutating func start(bytes: Int) -> Int? {
        let bytes = max(0, bytes)
        guard runningCount == 0 || bytes <= byteBudget - bytesInUse else { return nil }
        admissions += 1
        runningCount += 1
        bytesInUse += bytes
        return bytes
    }

    private mutating func next() -> Int? {
        if admissions % Self.fairInterval == Self.fairInterval - 1 {
            while let number = byArrival.first {
                if waiting[number] != nil { return number }
                byArrival.removeFirst()
            }
            return nil
        }
        while let place = byUrgency.max {
            if waiting[place.number]?.priority == place.priority { return place.number }
            byUrgency.removeMax()
        }
        return nil
    }

    private mutating func forgetStalePlaces() {
        byUrgency = Heap()
        byArrival.removeAll(keepingCapacity: true)
    }
}
