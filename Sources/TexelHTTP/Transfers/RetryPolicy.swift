#if HTTP
    /// When to ask again, and how long to wait before.
    public struct RetryPolicy: Sendable, Hashable {
        /// How often one address is asked at most; 1 never asks again.
        public var attempts = 3
        /// What the waits grow from: they double, and half of each is chance.
        public var firstDelay = Duration.milliseconds(500)
        /// No wait is longer. A server that wants a longer one is not asked again.
        public var longestDelay = Duration.seconds(30)

        public init() {}

        /// Whether a server that answers so may answer better soon.
        static func isWorthwhile(after status: Int) -> Bool {
            switch status {
            case 408, 425, 429: true
            // Not implemented, version not supported, and what a server says of itself for good.
            case 501, 505...511: false
            case 500...599: true
            default: false
            }
        }

        /// How long to wait after an attempt that failed; `nil` gives up.
        ///
        /// - Parameters:
        ///   - attempt: which one failed, from 1.
        ///   - head: the answer, where there was one; its `Retry-After` is obeyed.
        func delay(afterAttempt attempt: Int, head: ResponseHead?, time: TransferTime) -> Duration? {
            guard attempt < attempts else { return nil }
            if let wish = head?["retry-after"] {
                let seconds = Int(wish) ?? HTTPDate.seconds(wish).map { max(0, $0 - time.date()) }
                if let seconds, seconds >= 0 {
                    let delay = Duration.seconds(min(seconds, 1 << 40))
                    return delay <= longestDelay ? delay : nil
                }
            }
            // Half of it is chance, so that many that failed together do not come again together.
            let whole = firstDelay * (1 << min(attempt - 1, 20))
            return min(whole, longestDelay) * (0.5 + 0.5 * time.chance())
        }
    }
#endif
