import DequeModule
import HeapModule

/// Who may begin next: the most urgent, while there is room for it and for its bytes.
///
/// Nobody waits for ever: every so often the turn is that of the one who has waited longest. Whoever's turn it is waits
/// until there is room; what is small never overtakes what is large for ever.
struct AdmissionQueue<Item> {
    /// One that waits.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Waiting {
        var item: Item
        var bytes: @Sendable () -> Int
        var priority: Priority
    }

    /// A place in the order; stale once its ticket is gone or has another priority.
    private struct Place: Comparable {
        let number: Int
        let priority: Priority

        static func < (first: Place, second: Place) -> Bool {
            first.priority == second.priority ? first.number > second.number : first.priority < second.priority
        }
    }

    /// Every so many admissions go to the one who has waited longest.
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
    ///   - width: how many may run at the same time; at least one.
    ///   - byteBudget: how many bytes those that run may declare together; one above it runs alone.
    init(width: Int, byteBudget: Int) {
        self.width = max(1, width)
        self.byteBudget = max(0, byteBudget)
    }

    var waitingCount: Int { waiting.count }

    /// - Parameter bytes: asked for when its turn has come.
    mutating func add(_ item: Item, bytes: @escaping @Sendable () -> Int, priority: Priority) -> Ticket {
        lastNumber += 1
        waiting[lastNumber] = Waiting(item: item, bytes: bytes, priority: priority)
        byUrgency.insert(Place(number: lastNumber, priority: priority))
        byArrival.append(lastNumber)
        return Ticket(number: lastNumber)
    }

    /// Takes back one that has not begun; `nil` where it has.
    mutating func remove(_ ticket: Ticket) -> Item? {
        defer { if waiting.isEmpty { forgetStalePlaces() } }
        return waiting.removeValue(forKey: ticket.number)?.item
    }

    /// One that waits goes among those of another priority, in the order of their arrival.
    mutating func setPriority(_ priority: Priority, of ticket: Ticket) {
        guard let current = waiting[ticket.number]?.priority, current != priority else { return }
        waiting[ticket.number]?.priority = priority
        byUrgency.insert(Place(number: ticket.number, priority: priority))
    }

    /// The next one, if there is room for it.
    ///
    /// - Returns: what to do, and the bytes to ``release(bytes:)`` after it.
    mutating func admit() -> (item: Item, bytes: Int)? {
        guard runningCount < width, let number = next(), let first = waiting[number] else { return nil }
        // They may come from whoever announced them.
        let bytes = max(0, first.bytes())
        guard runningCount == 0 || bytes <= byteBudget - bytesInUse else { return nil }
        waiting[number] = nil
        admissions += 1
        runningCount += 1
        bytesInUse += bytes
        if waiting.isEmpty { forgetStalePlaces() }
        return (first.item, bytes)
    }

    mutating func release(bytes: Int) {
        runningCount -= 1
        bytesInUse -= bytes
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
