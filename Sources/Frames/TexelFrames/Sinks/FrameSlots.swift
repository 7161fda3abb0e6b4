import TexelCodecs

/// Assigns the frames of a stream to the slots of a constant rate, by their times.
///
/// A frame takes the next slot unless its time is too far from that slot's. Between the two limits is more than one
/// interval: rounded times and small jitter neither repeat a frame nor leave one out, and a stream that is slightly
/// faster or slower than its rate does so only once in a while.
struct FrameSlots {
    let rate: FrameRate
    /// The number of slots that have a frame.
    private(set) var count = 0
    /// How often a time could not be followed.
    private(set) var jumpCount = 0
    /// The time of slot 0; `nil` before the first frame.
    private var origin: Duration?
    /// The time of the last frame.
    private var last = Duration.zero

    enum Placement: Equatable {
        /// The frame has the next slot, after a number of slots that show the frame before.
        case next(after: Int)
        /// The frame comes too early: the slots up to its time are taken.
        case taken
    }

    /// Times that leap forward by more than this are no pauses.
    static let longestGap = Duration.seconds(15 * 60)
    /// A frame that comes by this many sixteenths of the interval earlier than the next slot has none. Less than half,
    /// so that exactly every second frame of twice the rate has one, whatever its time is rounded to.
    private static let earliness: Int128 = 7
    /// A frame that comes by more than this many sixteenths of the interval later than the next slot leaves a gap.
    private static let lateness: Int128 = 13

    /// Creates slots from the time of the first frame on.
    init(rate: FrameRate) { self.rate = rate }

    /// Finds the slot of the next frame.
    ///
    /// - Parameters:
    ///   - time: The frame's time.
    ///   - followsDrop: Whether frames before it were dropped on purpose, so that their slots are left out too.
    mutating func place(_ time: Duration, followsDrop: Bool) -> Placement {
        defer { last = time }
        guard let origin else {
            origin = time
            count = 1
            return .next(after: 0)
        }
        let isJump = time <= last || time - last > Self.longestGap
        if isJump { jumpCount += 1 }
        if isJump || followsDrop {
            self.origin = time - rate.time(ofFrame: count)
            count += 1
            return .next(after: 0)
        }
        let (delay, interval) = (delay(of: time, origin), interval)
        if delay * 16 <= -Self.earliness * interval { return .taken }
        let gap = delay * 16 > Self.lateness * interval ? Self.rounded(delay, interval) : 0
        count += gap + 1
        return .next(after: gap)
    }

    /// Returns the number of slots that remain until a time at which the last frame ends, and takes them.
    mutating func fill(until end: Duration) -> Int {
        guard let origin else { return 0 }
        let end = min(end, last + Self.longestGap)
        let rest = max(0, Self.rounded(delay(of: end, origin), interval))
        count += rest
        return rest
    }

    /// How much later a time is than the next slot's, in units of which ``interval`` is one interval.
    private func delay(of time: Duration, _ origin: Duration) -> Int128 {
        (time - origin).attoseconds / 1_000_000_000 * Int128(rate.frames) - Int128(count) * interval
    }

    private var interval: Int128 { Int128(rate.seconds) * 1_000_000_000 }

    /// The nearest number of intervals.
    private static func rounded(_ delay: Int128, _ interval: Int128) -> Int {
        Int((2 * max(0, delay) + interval) / (2 * interval))
    }
}
