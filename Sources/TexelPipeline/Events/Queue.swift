/// First in, first out; both in constant time on average, in memory of the size of what is in it.
struct Queue<Element> {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { storage.count - head }
    var first: Element? { head < storage.count ? storage[head] : nil }
    var elements: [Element] { storage[head...].compactMap(\.self) }

    mutating func append(_ element: Element) { storage.append(element) }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard head < storage.count else { return nil }
        let element = storage[head].take()
        head += 1
        // Each element is moved once for every other that went: constant on average.
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 16, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }
}
