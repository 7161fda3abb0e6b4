#if HTTP
    import Synchronization
    import TexelCore
    import TexelPipeline

    /// Cancels work that takes too long.
    struct Watchdog: Sendable {
        let time: TransferTime
        /// The time limit; `nil` for none.
        let limit: Duration?
        /// The error to throw when the limit is reached.
        let failure: TexelError

        /// The time of the last activity. Noting activity restarts the limit.
        final class Activity: Sendable {
            private let time: TransferTime
            private let last: Mutex<Duration>

            fileprivate init(_ time: TransferTime) {
                self.time = time
                last = Mutex(time.now())
            }

            func note() {
                let now = time.now()
                last.withLock { $0 = now }
            }

            fileprivate var age: Duration { time.now() - last.withLock { $0 } }
        }

        /// Runs `work` with the time limit.
        ///
        /// - Throws: The error of `work`, or `failure` when the limit is reached.
        func watch<Value: Sendable>(
            _ work: @escaping @Sendable (Activity) async throws(TexelError) -> Value
        ) async throws(TexelError) -> Value {
            let activity = Activity(time)
            guard let limit else { return try await work(activity) }
            let result = await withTaskGroup(of: Result<Value, TexelError>?.self) { group in
                group.addTask {
                    do throws(TexelError) {
                        return .success(try await work(activity))
                    } catch {
                        return .failure(error)
                    }
                }
                group.addTask {
                    while true {
                        let rest = limit - activity.age
                        if rest <= .zero { return .failure(failure) }
                        guard (try? await time.sleep(rest)) != nil else { return nil }
                    }
                }
                defer { group.cancelAll() }
                // If the task itself is cancelled, the timer returns nothing and the result is that of the work.
                while let result = await group.next() {
                    if let result { return result }
                }
                return .failure(.stopped(.cancelled))
            }
            return try result.get()
        }
    }
#endif
