import TexelCodecs

/// What happens to frames that come faster than they are taken.
public enum QueuePolicy: String, Sendable, Hashable, CaseIterable {
    /// Only the newest frame waits.
    case latest
    /// The frame that has waited longest makes room.
    case dropOldest = "drop-oldest"
    /// Frames that find no room are dropped.
    case dropNewest = "drop-newest"
    /// The source waits.
    case block
}

/// Frames that a source has given and no worker has taken yet: bounded, with a policy for when it is full.
///
/// What waits has not been rendered, so that a dropped frame has cost next to nothing.
final class FrameQueue: Sendable {
    let policy: QueuePolicy
    private let state: Monitor<State>

    private struct State: ~Copyable {
        var ring: FrameRing
        var isClosed = false
        var isPaused = false
        /// How many frames were taken: the next one's turn.
        var takenCount = 0
    }

    /// A frame and its turn: workers deliver in the order in which they took.
    struct Ticket: ~Copyable {
        var frame: TimedFrame
        var turn: Int
    }

    /// A frame and when it came.
    struct TimedFrame: ~Copyable {
        var frame: SourceFrame
        var arrival: Duration
    }

    enum Outcome {
        case accepted
        /// So many frames were dropped, perhaps the new one.
        case dropped(Int)
        case closed
    }

    init(policy: QueuePolicy, capacity: Int) {
        self.policy = policy
        state = Monitor(State(ring: FrameRing(capacity: policy == .latest ? 1 : max(1, capacity))))
    }

    /// Waits while nobody wants frames; says whether anybody still may.
    func waitForDemand() -> Bool {
        state.wait { state -> Bool? in
            if state.isClosed { return false }
            return state.isPaused ? nil : true
        }
    }

    func push(_ frame: consuming TimedFrame) -> Outcome {
        if policy == .block {
            let hasRoom = state.wait { state -> Bool? in
                if state.isClosed { return false }
                return state.ring.isFull ? nil : true
            }
            guard hasRoom else { return .closed }
        }
        var incoming: TimedFrame? = frame
        // What is dropped gives its buffer back outside the lock.
        var dropped: TimedFrame?
        let outcome: Outcome = state.update { state in
            if state.isClosed { return .closed }
            if state.ring.isFull {
                if policy == .dropNewest { return .dropped(1) }
                dropped = state.ring.removeFirst()
            }
            if let incoming = incoming.take() { state.ring.append(incoming) }
            return dropped == nil ? .accepted : .dropped(1)
        }
        return outcome
    }

    /// The next frame as soon as there is one; `nil` when there will be none.
    func pop() -> Ticket? {
        let result: PopResult = state.wait { state -> PopResult? in
            if state.isPaused && !state.isClosed { return nil }
            guard let frame = state.ring.removeFirst() else { return state.isClosed ? .end : nil }
            state.takenCount += 1
            return .ticket(Ticket(frame: frame, turn: state.takenCount - 1))
        }
        switch consume result {
        case .end: return nil
        case .ticket(let ticket): return ticket
        }
    }

    private enum PopResult: ~Copyable {
        case ticket(Ticket)
        case end
    }

    /// No more frames come; those that wait can still be taken.
    func close() { state.update { $0.isClosed = true } }

    /// No more frames come, and those that wait are given back.
    func abandon() {
        state.update { state in
            state.isClosed = true
            while state.ring.removeFirst() != nil {}
        }
    }

    func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }
}

/// A ring of frames; Swift's own collections hold nothing that cannot be copied.
///
/// Places from `first` on, `count` of them, round the end, hold frames; the others hold nothing.
private struct FrameRing: ~Copyable {
    private let places: UnsafeMutableBufferPointer<FrameQueue.TimedFrame>
    private var first = 0
    private(set) var count = 0

    init(capacity: Int) { places = .allocate(capacity: capacity) }

    deinit {
        for offset in 0..<count { places.deinitializeElement(at: (first + offset) % places.count) }
        places.deallocate()
    }

    var isFull: Bool { count == places.count }

    mutating func append(_ frame: consuming FrameQueue.TimedFrame) {
        precondition(!isFull, "the ring is full")
        places.initializeElement(at: (first + count) % places.count, to: frame)
        count += 1
    }

    mutating func removeFirst() -> FrameQueue.TimedFrame? {
        guard count > 0 else { return nil }
        let frame = places.moveElement(from: first)
        first = (first + 1) % places.count
        count -= 1
        return frame
    }
}
