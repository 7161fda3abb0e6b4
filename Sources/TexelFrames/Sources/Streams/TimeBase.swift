/// The duration of a tick of a stream's clock, as a fraction.
struct TimeBase: Equatable {
    var seconds: Int
    /// The number of ticks in ``seconds`` seconds.
    var ticks: Int

    /// Creates a time base; `nil` unless both terms are in 1...2³¹ − 1, as NUT requires.
    init?(seconds: Int, ticks: Int) {
        guard (1...Int(Int32.max)).contains(seconds), (1...Int(Int32.max)).contains(ticks) else { return nil }
        (self.seconds, self.ticks) = (seconds, ticks)
    }

    /// The time of a tick, rounded to a nanosecond; `nil` beyond ±292 years.
    func time(of tick: Int) -> Duration? {
        let product = Int128(tick) * Int128(seconds) * 1_000_000_000 + Int128(ticks / 2)
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int128(ticks))
        return Int64(exactly: remainder < 0 ? quotient - 1 : quotient).map { .nanoseconds($0) }
    }

    /// Converts a tick of another time base to this one, rounded toward zero; `nil` if it overflows.
    func tick(of tick: Int, by other: TimeBase) -> Int? {
        Int(exactly: Int128(tick) * Int128(other.seconds) * Int128(ticks) / (Int128(other.ticks) * Int128(seconds)))
    }
}
