import TexelCodecs
import TexelCore
import TexelPixels

/// The treatment of frames that arrive faster than they are processed.
public enum QueuePolicy: String, Sendable, Hashable, CaseIterable {
    /// Keeps only the newest frame.
    case latest
    /// Drops the oldest waiting frame to make room.
    case dropOldest = "drop-oldest"
    /// Drops new frames while the queue is full.
    case dropNewest = "drop-newest"
    /// Blocks the source until there is room.
    case block
}

/// A bounded queue between the source and the workers, with a policy for when it is full.
///
/// Queued frames have not been rendered, so that dropping one wastes little work.
final class FrameQueue: Sendable {
    let policy: QueuePolicy
    private let state: Monitor<State>

    private struct State: ~Copyable {
        var ring: FrameRing
        var isClosed = false
        var isPaused = false
        /// The number of frames taken so far, which is the turn of the next one.
        var takenCount = 0
        /// Whether frames were dropped before the next one that is taken, and before the next one that is accepted.
        var hasDroppedOldest = false
        var hasDroppedNewest = false
    }

    /// A frame and its turn: workers deliver in the order in which they took frames.
    struct Ticket: ~Copyable {
        var frame: TimedFrame
        var turn: Int
    }

    /// A frame and its arrival time.
    struct TimedFrame: ~Copyable {
        var frame: SourceFrame
        var arrival: Duration
        /// Whether the queue dropped frames that came directly before this one.
        var followsDrop = false
    }

    enum Outcome {
        case accepted
        /// This many frames were dropped, possibly the new one.
        case dropped(Int)
        case closed
    }

    init(policy: QueuePolicy, capacity: Int) {
        self.policy = policy
        state = Monitor(State(ring: FrameRing(capacity: policy == .latest ? 1 : max(1, capacity))))
    }

    /// Blocks while the queue is paused; `false` once it is closed.
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
        // Released outside the lock.
        var dropped: TimedFrame?
        let outcome: Outcome = state.update { state in
            if state.isClosed { return .closed }
            if state.ring.isFull {
                if policy == .dropNewest {
                    state.hasDroppedNewest = true
                    return .dropped(1)
                }
                dropped = state.ring.removeFirst()
                state.hasDroppedOldest = true
            }
            if var incoming = incoming.take() {
                incoming.followsDrop = state.hasDroppedNewest
                state.hasDroppedNewest = false
                state.ring.append(incoming)
            }
            return dropped == nil ? .accepted : .dropped(1)
        }
        return outcome
    }

    /// Blocks until there is a frame and returns it; `nil` once the queue is closed and empty.
    func pop() -> Ticket? {
        let result: PopResult = state.wait { state -> PopResult? in
            if state.isPaused && !state.isClosed { return nil }
            guard var frame = state.ring.removeFirst() else { return state.isClosed ? .end : nil }
            frame.followsDrop = frame.followsDrop || state.hasDroppedOldest
            state.hasDroppedOldest = false
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

    /// Accepts no more frames; queued ones can still be taken.
    func close() { state.update { $0.isClosed = true } }

    /// Accepts no more frames and releases the queued ones.
    func abandon() {
        state.update { state in
            state.isClosed = true
            while state.ring.removeFirst() != nil {}
        }
    }

    func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }
}

/// A ring buffer of frames; the standard collections cannot hold noncopyable elements.
///
/// The `count` places from `first` on, modulo the capacity, are initialised.
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
