/// How long a frame is displayed, as an exact fraction of a second.
package struct FrameDelay: Sendable, Hashable {
    package var numerator: Int
    package var denominator: Int

    /// - Parameter denominator: positive.
    package init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// - Parameter duration: rounded down to nanoseconds; a negative one is 0.
    package init(_ duration: Duration) {
        self.init(max(0, Int(min(duration / .nanoseconds(1), 1e18))), 1_000_000_000)
    }

    /// The same delay with numbers of at most `largest`: exact if possible, otherwise in the finest unit that fits.
    package func fitting(_ largest: some BinaryInteger) -> FrameDelay {
        let largest = Int(largest)
        let divisor = max(1, Self.greatestCommonDivisor(numerator, denominator))
        let reduced = FrameDelay(numerator / divisor, denominator / divisor)
        if reduced.numerator <= largest, reduced.denominator <= largest { return reduced }
        let unit = max(1, min(largest, Int((Double(largest) / max(1, seconds)).rounded(.down))))
        return FrameDelay(min(largest, Int((min(seconds, Double(largest)) * Double(unit)).rounded())), unit)
    }

    package var seconds: Double { Double(numerator) / Double(denominator) }

    package var duration: Duration {
        Duration(attoseconds: Int128(numerator) * 1_000_000_000_000_000_000 / Int128(denominator))
    }

    /// The longest delay of which both are multiples; `nil` if its numbers are too large.
    package func commonStep(with other: FrameDelay) -> FrameDelay? {
        let common = Self.greatestCommonDivisor(denominator, other.denominator)
        let (denominator, isTooFine) = denominator.multipliedReportingOverflow(by: other.denominator / common)
        guard !isTooFine else { return nil }
        let (first, isFirstTooLong) = numerator.multipliedReportingOverflow(by: denominator / self.denominator)
        let (second, isSecondTooLong) = other.numerator.multipliedReportingOverflow(by: denominator / other.denominator)
        guard !isFirstTooLong, !isSecondTooLong else { return nil }
        return FrameDelay(Self.greatestCommonDivisor(first, second), denominator)
    }
}

/// Converts the delays of frames to a format's steps of time.
///
/// The end of each frame is rounded, not its delay, so that rounding errors do not accumulate.
package struct FrameTicks: Sendable {
    private let ticksPerSecond: Int
    /// The exact end of the last frame, and that end in ticks.
    private var end = FrameDelay(0, 1)
    private var ticks = 0
    /// Whether all delays so far are whole numbers of ticks.
    package private(set) var isExact = true

    package init(ticksPerSecond: Int) { self.ticksPerSecond = ticksPerSecond }

    /// Returns the delay of the next frame in ticks.
    package mutating func ticks(for delay: FrameDelay) -> Int {
        let (product, isTooLarge) = delay.numerator.multipliedReportingOverflow(by: ticksPerSecond)
        if isTooLarge || product % delay.denominator != 0 { isExact = false }
        end = end.adding(delay)
        let rounded = end.rounded(ticksPerSecond: ticksPerSecond)
        defer { ticks = rounded }
        return max(0, rounded - ticks)
    }
}

extension FrameDelay {
    /// The sum, exact unless its numbers become too large.
    package func adding(_ other: FrameDelay) -> FrameDelay {
        let common = Self.greatestCommonDivisor(denominator, other.denominator)
        let (denominator, isTooLarge) = denominator.multipliedReportingOverflow(by: other.denominator / common)
        // Numerators then have 31 bits for whole seconds.
        guard !isTooLarge, denominator < 1 << 31, seconds + other.seconds < Double(1 << 31) else {
            return FrameDelay(Int(((seconds + other.seconds) * 1e9).rounded()), 1_000_000_000)
        }
        return FrameDelay(
            numerator * (denominator / self.denominator) + other.numerator * (denominator / other.denominator),
            denominator)
    }

    /// The nearest number of ticks.
    fileprivate func rounded(ticksPerSecond: Int) -> Int {
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        return whole * ticksPerSecond + (rest * ticksPerSecond * 2 + denominator) / (2 * denominator)
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
