/// Whether results come so fast that they are gathered: with small files, to wake a thread for each result takes a
/// sixth of the processor time.
struct ResultPace {
    /// How many waits in a row were short.
    private var shortCount = 0

    /// How long to rest, while results gather.
    static let rest = Duration.milliseconds(4)

    private static let short = Duration.milliseconds(1)
    /// So many that no small batch becomes longer by a rest.
    private static let limit = 16

    /// Whether to rest before the next wait.
    var rests: Bool { shortCount >= Self.limit }

    /// - Parameters:
    ///   - wait: how long the next event took to come.
    ///   - hasRested: whether none had come during a rest before.
    mutating func add(wait: Duration, hasRested: Bool) {
        shortCount = wait < Self.short && !hasRested ? shortCount + 1 : 0
    }
}
