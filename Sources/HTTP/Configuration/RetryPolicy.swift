#if HTTP
    /// When to retry a request, and how long to wait before.
    public struct RetryPolicy: Sendable, Hashable {
        /// The maximum number of attempts for one address; 1 disables retries.
        public var attempts = 3
        /// The first delay. Delays double with each attempt; half of each is random.
        public var firstDelay = Duration.milliseconds(500)
        /// The maximum delay. If a server's `Retry-After` is longer, there is no retry.
        public var longestDelay = Duration.seconds(30)

        /// Creates the default policy: three attempts, starting with 500 ms.
        public init() {}

        /// Whether a later attempt may get a different status.
        static func isWorthwhile(after status: Int) -> Bool {
            switch status {
            case 408, 425, 429: true
            // Not implemented, version not supported, and other permanent conditions.
            case 501, 505...511: false
            case 500...599: true
            default: false
            }
        }

        /// The delay after a failed attempt; `nil` for no further attempt.
        ///
        /// - Parameters:
        ///   - attempt: The number of the failed attempt, from 1.
        ///   - head: The response, if there was one; its `Retry-After` is respected.
        ///   - time: The clock, and the random numbers.
        func delay(afterAttempt attempt: Int, head: ResponseHead?, time: TransferTime) -> Duration? {
            guard attempt < attempts else { return nil }
            if let wish = head?["retry-after"] {
                let seconds = Int(wish) ?? HTTPDate.seconds(wish).map { max(0, $0 - time.date()) }
                if let seconds, seconds >= 0 {
                    let delay = Duration.seconds(min(seconds, 1 << 40))
                    return delay <= longestDelay ? delay : nil
                }
            }
            // Half of the delay is random, so that clients that failed together do not retry together.
            let whole = firstDelay * (1 << min(attempt - 1, 20))
            return min(whole, longestDelay) * (0.5 + 0.5 * time.chance())
        }
    }
#endif
