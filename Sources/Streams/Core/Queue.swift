/// A first-in, first-out queue with amortised constant-time operations.
struct Queue<Element> {
    private var entries: [Element?] = []
    /// The index of the first element; earlier entries are `nil`.
    private var head = 0

    var count: Int { entries.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element) {
        entries.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < entries.count else { return nil }
        defer {
            entries[head] = nil
            head += 1
            if head > 16, head > entries.count / 2 {
                entries.removeFirst(head)
                head = 0
            }
        }
        return entries[head]
    }
}

extension Queue: Sendable where Element: Sendable {}
