import TexelCodecs
import TexelCore

/// The frames of a written animation: which frames of the input they are, and how long each is shown.
struct FrameSchedule: Equatable {
    struct Entry: Equatable {
        /// The frame of the input, from 0.
        var frame: Int
        var delay: FrameDelay
        /// How long players show the frame.
        var shownDelay: FrameDelay

        /// Changes how long the frame is shown.
        fileprivate mutating func show(for delay: FrameDelay) { (self.delay, shownDelay) = (delay, delay) }
    }

    private(set) var entries: [Entry] = []
    let playCount: Int

    /// - Parameters:
    ///   - shortestDelay: the shortest delay that viewers of the written format observe; `nil` for any.
    ///   - frameLimit: the number of frames that the result may have.
    /// - Throws: `missingFrame`, `limitExceeded`.
    init(
        _ animation: any ImageAnimation, _ playback: Playback, shortestDelay: FrameDelay? = nil, frameLimit: Int
    ) throws(TexelError) {
        playCount = playback.playCount ?? animation.playCount
        for range in playback.ranges ?? [0...Int.max] {
            for frame in try range.frames(of: animation.frames.count) {
                let frameOfFile = animation.frames[frame]
                let shown = frameOfFile.shownDelay
                // A delay that players replace must be replaced before it is divided.
                entries.append(
                    Entry(
                        frame: frame, delay: playback.changesTimes ? shown : frameOfFile.delay, shownDelay: shown))
            }
            try check(frameLimit)
        }
        if playback.step > 1 {
            var index = 0
            thin { _ in
                defer { index += 1 }
                return index.isMultiple(of: playback.step)
            }
        }
        if playback.speed != 1 {
            for index in entries.indices { entries[index].show(for: entries[index].delay.divided(by: playback.speed)) }
        }
        if let rate = playback.maximumRate { thin(to: rate) }
        if playback.speed > 1, let shortestDelay,
            let rate = FrameRate(shortestDelay.denominator, per: shortestDelay.numerator)
        {
            thin(to: rate)
        }
        if playback.isReversed { entries.reverse() }
        if playback.playsBackAndForth, entries.count > 2 { entries += entries[1..<(entries.count - 1)].reversed() }
        try check(frameLimit)
    }

    private func check(_ limit: Int) throws(TexelError) {
        if entries.count > limit { throw .limitExceeded(.frames, value: entries.count, allowed: limit) }
    }

    /// Keeps the first frame in each interval of the rate.
    private mutating func thin(to rate: FrameRate) {
        var last: Int128 = -1
        thin { time in
            let interval = rate.limitedInterval(at: time)
            defer { last = max(last, interval) }
            return interval > last
        }
    }

    /// Leaves frames out. The kept frame before is shown in their place.
    ///
    /// - Parameter isKept: called with the time at which each frame begins; must be `true` for the first.
    private mutating func thin(_ isKept: (Duration) -> Bool) {
        var (kept, time) = ([Entry](), FrameDelay(0, 1))
        for entry in entries {
            if isKept(time.duration) {
                kept.append(entry)
            } else if let last = kept.indices.last {
                kept[last].show(for: kept[last].delay.adding(entry.delay))
            }
            time = time.adding(entry.delay)
        }
        entries = kept
    }

    /// The frames of the input that are shown, each once and in the input's order.
    var frames: [Int] { Set(entries.map(\.frame)).sorted() }

    /// Whether all delays are whole numbers of a format's steps.
    func isExact(ticksPerSecond: Int) -> Bool {
        var clock = FrameTicks(ticksPerSecond: ticksPerSecond)
        for entry in entries { _ = clock.ticks(for: entry.delay) }
        return clock.isExact
    }
}

extension FrameDelay {
    /// The delay of a frame that is shown so many times faster, which is exact if the speed is a number of thousandths.
    fileprivate func divided(by speed: Double) -> FrameDelay {
        let thousandths = max(1, Int((speed * 1000).rounded()))
        // Delays of files are fractions of 32 bits, or sums of a few.
        let (numerator, isTooLong) = numerator.multipliedReportingOverflow(by: 1000)
        let (denominator, isTooFine) = denominator.multipliedReportingOverflow(by: thousandths)
        guard !isTooLong, !isTooFine else {
            return FrameDelay(Int((min(seconds / speed, 1e9) * 1e9).rounded()), 1_000_000_000)
        }
        return FrameDelay(numerator, denominator).fitting(UInt32.max)
    }
}
