/// The result of polling a core.
enum Delivery<Element, Failure: Error> {
    case element(Element)
    case ended
    case failed(Failure)
    case nothing
}

extension Delivery: Sendable where Element: Sendable {}

/// Whether a stream has ended. A failure is delivered once; after that the stream has ended.
enum Ending<Failure: Error>: Sendable {
    case open
    case ended
    case failed(Failure)

    var isOpen: Bool {
        if case .open = self { true } else { false }
    }

    /// Returns what to deliver after the last element. A failure is returned once and then replaced by `ended`.
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

/// A buffer of one element between the task that reads a base and the consumer.
///
/// The element stays here until the consumer takes it, so that it can still be withdrawn.
struct Slot<Element: Sendable, Failure: Error>: Sendable {
    private(set) var element: Element?
    private var isAsked = false
    var ending = Ending<Failure>.open

    /// Whether an element should be read for the consumer now.
    var isWanted: Bool { isAsked && element == nil && ending.isOpen }

    mutating func put(_ element: Element) {
        self.element = element
    }

    /// Withdraws an element that the consumer has not taken yet.
    mutating func clear() -> Element? {
        defer { element = nil }
        return element
    }

    /// Takes the element or the end; if there is neither, records that the consumer is waiting.
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
