/// The duration of a tick of a stream's clock, as a fraction.
package struct TimeBase: Equatable {
    package var seconds: Int
    /// The number of ticks in ``seconds`` seconds.
    package var ticks: Int

    /// Creates a time base; `nil` unless both terms are in 1...2³¹ − 1.
    package init?(seconds: Int, ticks: Int) {
        guard (1...Int(Int32.max)).contains(seconds), (1...Int(Int32.max)).contains(ticks) else { return nil }
        (self.seconds, self.ticks) = (seconds, ticks)
    }

    /// The time of a tick, rounded to a nanosecond; `nil` beyond ±292 years.
    package func time(of tick: Int) -> Duration? {
        let product = Int128(tick) * Int128(seconds) * 1_000_000_000 + Int128(ticks / 2)
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int128(ticks))
        return Int64(exactly: remainder < 0 ? quotient - 1 : quotient).map { .nanoseconds($0) }
    }

    /// The first tick that is not before a time; `nil` if it overflows.
    package func firstTick(from time: Duration) -> Int? {
        let (whole, part) = time.components
        let nanoseconds = Int128(whole) * 1_000_000_000 + Int128(part / 1_000_000_000)
        let unit = Int128(seconds) * 1_000_000_000
        let (quotient, remainder) = (nanoseconds * Int128(ticks)).quotientAndRemainder(dividingBy: unit)
        // A time that was rounded from a tick is that tick's: half a nanosecond is no distance.
        let isBeyond = remainder * 2 > Int128(ticks)
        return Int(exactly: isBeyond ? quotient + 1 : quotient)
    }
}
