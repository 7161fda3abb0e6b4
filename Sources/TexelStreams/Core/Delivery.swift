/// What a consumer finds when it looks.
enum Delivery<Element, Failure: Error> {
    case element(Element)
    case ended
    case failed(Failure)
    case nothing
}

extension Delivery: Sendable where Element: Sendable {}

/// How far a stream is from its end. A failure is told once; after it the stream has ended.
enum Ending<Failure: Error>: Sendable {
    case open
    case ended
    case failed(Failure)

    var isOpen: Bool {
        if case .open = self { true } else { false }
    }

    mutating func take<Element>() -> Delivery<Element, Failure> {
        switch self {
        case .open: return .nothing
        case .ended: return .ended
        case .failed(let failure):
            self = .ended
            return .failed(failure)
        }
    }
}

/// The place for one element between a task that reads and a consumer that asks.
///
/// The element stays here until the consumer itself runs, so that it can still be taken back.
struct Slot<Element: Sendable, Failure: Error>: Sendable {
    private(set) var element: Element?
    private var isAsked = false
    var ending = Ending<Failure>.open

    /// Whether an element may be read for the consumer now.
    var isWanted: Bool { isAsked && element == nil && ending.isOpen }

    mutating func put(_ element: Element) {
        self.element = element
    }

    /// Takes back what the consumer has not taken yet.
    mutating func clear() -> Element? {
        defer { element = nil }
        return element
    }

    mutating func take() -> Delivery<Element, Failure> {
        if let element {
            self.element = nil
            isAsked = false
            return .element(element)
        }
        isAsked = true
        return ending.take()
    }
}
