/// An event of a stream.
enum Mark: Equatable, Sendable, CustomStringConvertible {
    case element(String)
    case end
    case failure

    var description: String {
        switch self {
        case .element(let element): element
        case .end: "|"
        case .failure: "#"
        }
    }
}

struct Broken: Error, Equatable {}

/// A diagram of a stream over time. Each character is a tick: `-` and space are ticks without an event, `|` is the end,
/// `#` an error, anything else an element. Events in brackets occur together, at the tick of the opening bracket.
struct Marbles: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    struct Event: Equatable, Sendable {
        let tick: Int
        let mark: Mark
    }

    var events: [Event] = []

    init(events: [Event]) {
        self.events = events
    }

    init(stringLiteral diagram: String) {
        var group: Int?
        for (tick, character) in diagram.enumerated() {
            switch character {
            case "-", " ": break
            case "(": group = tick
            case ")": group = nil
            case "|": events.append(Event(tick: group ?? tick, mark: .end))
            case "#": events.append(Event(tick: group ?? tick, mark: .failure))
            default: events.append(Event(tick: group ?? tick, mark: .element(String(character))))
            }
        }
    }

    subscript(tick: Int) -> [Mark] { events.filter { $0.tick == tick }.map(\.mark) }

    var lastTick: Int { events.last?.tick ?? 0 }

    var description: String { events.map { "\($0.tick): \($0.mark)" }.joined(separator: ", ") }
}
