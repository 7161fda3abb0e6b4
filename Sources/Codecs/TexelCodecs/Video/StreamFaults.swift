/// Damage that was noticed while a video was read. Counts from its start.
public struct StreamFaults: Sendable, Hashable, Codable {
    /// The number of packets that gave no frame, because they or the bytes around them are damaged.
    public var lostPackets = 0
    /// The number of frames that were decoded in spite of errors.
    public var damagedFrames = 0
    /// Whether the input ended before the end that it announces.
    public var endsEarly = false
    /// The decoder's message about the latest fault; `nil` if there is none.
    public var message: String?

    /// Creates a value without damage.
    public init() {}

    /// Whether there is no damage.
    public var isEmpty: Bool { lostPackets == 0 && damagedFrames == 0 && !endsEarly }

    /// Whether frames are missing, or only damaged.
    public var losesFrames: Bool { lostPackets > 0 || endsEarly }

    /// Adds damage that was noticed later, or in another stream.
    public mutating func add(_ other: StreamFaults) {
        lostPackets += other.lostPackets
        damagedFrames += other.damagedFrames
        endsEarly = endsEarly || other.endsEarly
        if !other.isEmpty { message = other.message ?? message }
    }
}

extension StreamFaults: CustomStringConvertible {
    public var description: String {
        func amount(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        var parts: [String] = []
        if lostPackets > 0 { parts.append("\(amount(lostPackets, "packet")) could not be decoded") }
        if damagedFrames > 0 { parts.append("\(amount(damagedFrames, "frame")) decoded with errors") }
        if endsEarly { parts.append("the file ends early") }
        let reason = message.map { " (\($0))" } ?? ""
        return parts.isEmpty ? "the video is intact" : "the video is damaged: \(parts.joined(separator: ", "))\(reason)"
    }
}

extension Strictness {
    /// Whether damage of a video is to be rejected: missing frames like missing rows, damaged frames like damaged
    /// pixels.
    package func rejects(_ faults: StreamFaults) -> Bool {
        switch self {
        case .none: false
        case .truncated: faults.losesFrames
        case .error, .warning: !faults.isEmpty
        }
    }
}
