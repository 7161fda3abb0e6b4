#if HTTP
    import Synchronization
    import TexelPipeline

    /// Ends work that takes too long.
    struct Watchdog: Sendable {
        let time: TransferTime
        /// `nil` is for ever.
        let limit: Duration?
        /// Why work failed that reached the limit.
        let failure: PipelineError

        /// When something happened last; who works says so, and the limit begins anew.
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

        /// - Throws: what `work` throws, or the failure that stands for the limit.
        func watch<Value: Sendable>(
            _ work: @escaping @Sendable (Activity) async throws(PipelineError) -> Value
        ) async throws(PipelineError) -> Value {
            let activity = Activity(time)
            guard let limit else { return try await work(activity) }
            let result = await withTaskGroup(of: Result<Value, PipelineError>?.self) { group in
                group.addTask {
                    do throws(PipelineError) {
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
                // The dog leaves without a word where the task itself is cancelled; the work has the word then.
                while let result = await group.next() {
                    if let result { return result }
                }
                return .failure(.codec(.stopped(.cancelled)))
            }
            return try result.get()
        }
    }
#endif
