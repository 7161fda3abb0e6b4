import TestSupport
import Testing

@testable import TexelPipeline

/// The order of admission.
@Suite struct AdmissionQueueTests {
    private func queue(width: Int = 1, budget: Int = 100) -> AdmissionQueue<String> {
        AdmissionQueue(width: width, byteBudget: budget)
    }

    /// Work that does not wait takes a place only if nothing waits and there is room.
    @Test func immediateWorkTakesOnlyFreePlaces() {
        var queue = queue(width: 3)
        #expect(queue.admitAtOnce(bytes: -1000) == 0)
        #expect(queue.admitAtOnce(bytes: 101) == nil)
        #expect(queue.admitAtOnce(bytes: 100) == 100)
        #expect(queue.admitAtOnce(bytes: 1) == nil)
        _ = queue.add("waiting", bytes: { 1 }, priority: .normal)
        queue.release(bytes: 100)
        #expect(queue.admitAtOnce(bytes: 1) == nil)
        #expect(queue.admit()?.item == "waiting")
        #expect(queue.admitAtOnce(bytes: 99) == 99)
        // No place is left.
        #expect(queue.admitAtOnce(bytes: 0) == nil)
        queue.release(bytes: 0)
        queue.release(bytes: 1)
        queue.release(bytes: 99)
        // Alone, even above the budget.
        #expect(queue.admitAtOnce(bytes: .max) == .max)
        #expect(queue.admitAtOnce(bytes: 0) == nil)
    }

    @Test func negativeBytesWithoutABudget() {
        var queue = AdmissionQueue<Int>(width: 3, byteBudget: .max)
        #expect(queue.admitAtOnce(bytes: .min) == 0)
        _ = queue.add(1, bytes: { .min }, priority: .normal)
        #expect(queue.admit()?.bytes == 0)
        #expect(queue.admitAtOnce(bytes: 5) == 5)
    }

    private func order(_ queue: inout AdmissionQueue<String>) -> [String] {
        var order: [String] = []
        while let (item, bytes) = queue.admit() {
            order.append(item)
            queue.release(bytes: bytes)
        }
        return order
    }

    @Test func theMostUrgentFirstAndThenByArrival() {
        var queue = queue()
        for (item, priority) in [
            ("a", Priority.low), ("b", .normal), ("c", .veryHigh), ("d", .normal), ("e", .veryLow),
        ] {
            _ = queue.add(item, bytes: { 1 }, priority: priority)
        }
        #expect(order(&queue) == ["c", "b", "d", "a", "e"])
    }

    @Test func aChangedPriorityKeepsTheOrderOfArrival() {
        var queue = queue()
        let first = queue.add("first", bytes: { 1 }, priority: .low)
        _ = queue.add("second", bytes: { 1 }, priority: .normal)
        let third = queue.add("third", bytes: { 1 }, priority: .normal)
        queue.setPriority(.normal, of: first)
        queue.setPriority(.low, of: third)
        queue.setPriority(.high, of: third)
        queue.setPriority(.normal, of: third)
        #expect(order(&queue) == ["first", "second", "third"])
    }

    @Test func nobodyWaitsForEver() {
        var queue = queue()
        _ = queue.add("old", bytes: { 1 }, priority: .veryLow)
        var before = 0
        while true {
            _ = queue.add("new", bytes: { 1 }, priority: .veryHigh)
            guard let (item, bytes) = queue.admit() else { break }
            queue.release(bytes: bytes)
            if item == "old" { break }
            before += 1
            guard before < 100 else { break }
        }
        #expect(before < 8)
    }

    @Test func whatIsTakenBackNeverBegins() {
        var queue = queue()
        let tickets = (0..<5).map { queue.add("\($0)", bytes: { 1 }, priority: .normal) }
        #expect(queue.remove(tickets[0]) == "0")
        #expect(queue.remove(tickets[3]) == "3")
        #expect(queue.remove(tickets[3]) == nil)
        #expect(order(&queue) == ["1", "2", "4"])
        #expect(queue.remove(tickets[1]) == nil)
    }

    @Test func bytesAreAskedForWhenTheTurnHasCome() {
        var queue = queue(width: 4, budget: 100)
        _ = queue.add("a", bytes: { 60 }, priority: .normal)
        _ = queue.add("b", bytes: { 60 }, priority: .normal)
        _ = queue.add("c", bytes: { 1 }, priority: .normal)
        #expect(queue.admit()?.item == "a")
        // A small item does not overtake a large one.
        #expect(queue.admit() == nil)
        queue.release(bytes: 60)
        #expect(queue.admit()?.item == "b")
        #expect(queue.admit()?.item == "c")
    }

    /// Random calls: the width and the budget are respected (except by single large items), and each item is admitted
    /// exactly once.
    @Test(arguments: 0..<40) func queueRespectsWidthAndBudget(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let (width, budget) = (Int.random(in: 1...4, using: &generator), 100)
        var queue = AdmissionQueue<Int>(width: width, byteBudget: budget)
        var tickets: [Int: AdmissionQueue<Int>.Ticket] = [:]
        var inside: [Int: Int] = [:]
        var seen: Set<Int> = []
        var gone: Set<Int> = []
        var next = 0
        func admit() {
            while let (item, bytes) = queue.admit() {
                #expect(!gone.contains(item))
                #expect(seen.insert(item).inserted)
                inside[item] = bytes
                tickets[item] = nil
                #expect(inside.count <= width)
                #expect(inside.count == 1 || inside.values.reduce(0, +) <= budget)
            }
        }
        for _ in 0..<500 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1, 2:
                let bytes = Int.random(in: 0...150, using: &generator)
                tickets[next] = queue.add(
                    next, bytes: { bytes }, priority: Priority.allCases.randomElement(using: &generator) ?? .normal)
                next += 1
            case 3:
                if let (item, ticket) = tickets.sorted(by: { $0.key < $1.key }).randomElement(using: &generator) {
                    #expect(queue.remove(ticket) == item)
                    tickets[item] = nil
                    gone.insert(item)
                }
            case 4:
                if let (_, ticket) = tickets.sorted(by: { $0.key < $1.key }).randomElement(using: &generator) {
                    queue.setPriority(Priority.allCases.randomElement(using: &generator) ?? .normal, of: ticket)
                }
            default:
                if let (item, bytes) = inside.sorted(by: { $0.key < $1.key }).randomElement(using: &generator) {
                    inside[item] = nil
                    queue.release(bytes: bytes)
                }
            }
            admit()
        }
        while let (item, bytes) = inside.first {
            inside[item] = nil
            queue.release(bytes: bytes)
            admit()
        }
        #expect(seen.count + gone.count == next)
        #expect(queue.waitingCount == 0)
    }
}
