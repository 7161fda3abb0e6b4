#if HTTP
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// The time that a loader goes by.
    package struct TransferTime: Sendable {
        /// Since some moment that does not change.
        package var now: @Sendable () -> Duration
        /// - Throws: `CancellationError`.
        package var sleep: @Sendable (Duration) async throws -> Void
        /// Seconds since 1970.
        package var date: @Sendable () -> Int
        /// A number from 0 up to 1 that nobody can foretell.
        package var chance: @Sendable () -> Double

        package init(
            now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
            date: @escaping @Sendable () -> Int, chance: @escaping @Sendable () -> Double
        ) {
            self.now = now
            self.sleep = sleep
            self.date = date
            self.chance = chance
        }

        /// The machine's own.
        package static let system = {
            let clock = ContinuousClock()
            let start = clock.now
            return TransferTime(
                now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) },
                date: { Int(time(nil)) }, chance: { Double.random(in: 0..<1) })
        }()
    }
#endif
