#if HTTP
    import PlatformLibc

    /// The clock and the random numbers that a loader uses; tests replace them.
    package struct TransferTime: Sendable {
        /// The time since an arbitrary fixed moment.
        package var now: @Sendable () -> Duration
        /// Suspends the task for a duration.
        ///
        /// - Throws: `CancellationError`.
        package var sleep: @Sendable (Duration) async throws -> Void
        /// The date in seconds since 1970.
        package var date: @Sendable () -> Int
        /// A random number in 0..<1.
        package var chance: @Sendable () -> Double

        /// Creates a clock from functions.
        package init(
            now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
            date: @escaping @Sendable () -> Int, chance: @escaping @Sendable () -> Double
        ) {
            self.now = now
            self.sleep = sleep
            self.date = date
            self.chance = chance
        }

        /// The system's clock and random numbers.
        package static let system = {
            let clock = ContinuousClock()
            let start = clock.now
            return TransferTime(
                now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) },
                date: { Int(time(nil)) }, chance: { Double.random(in: 0..<1) })
        }()
    }
#endif
