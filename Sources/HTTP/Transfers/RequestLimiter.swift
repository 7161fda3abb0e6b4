#if HTTP
    import Synchronization

    /// Limits the number of concurrent requests to one server. Further requests wait in order of arrival.
    final class RequestLimiter: Sendable {
        private let width: Int
        private let state = Mutex(State())

        private struct State {
            var servers: [String: Server] = [:]
            var lastWaiter = 0
        }

        private struct Server {
            var running = 0
            var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        }

        /// The right to run one request; ends at the latest when it is released.
        final class Slot: Sendable {
            private let limiter: RequestLimiter
            private let origin: String
            private let hasEnded = Atomic(false)

            fileprivate init(_ limiter: RequestLimiter, _ origin: String) {
                self.limiter = limiter
                self.origin = origin
            }

            deinit { end() }

            func end() {
                if !hasEnded.exchange(true, ordering: .relaxed) { limiter.release(origin) }
            }
        }

        init(width: Int) { self.width = max(1, width) }

        /// Waits for the right to send a request to an origin.
        ///
        /// - Throws: `CancellationError` if the task is cancelled while waiting.
        func slot(for origin: String) async throws(CancellationError) -> Slot {
            let id = state.withLock { state in
                state.lastWaiter += 1
                return state.lastWaiter
            }
            let isGranted = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let answer: Bool? = state.withLock { state in
                        // The cancellation handler may have run before this, without a waiter to resume.
                        if Task.isCancelled { return false }
                        if state.servers[origin, default: Server()].running < width {
                            state.servers[origin, default: Server()].running += 1
                            return true
                        }
                        state.servers[origin]?.waiting.append((id, continuation))
                        return nil
                    }
                    if let answer { continuation.resume(returning: answer) }
                }
            } onCancel: {
                let waiter = state.withLock { state in
                    state.servers[origin]?.waiting.firstIndex { $0.id == id }
                        .flatMap { state.servers[origin]?.waiting.remove(at: $0) }
                }
                waiter?.continuation.resume(returning: false)
            }
            guard isGranted else { throw CancellationError() }
            return Slot(self, origin)
        }

        private func release(_ origin: String) {
            let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard var server = state.servers[origin] else { return nil }
                if server.waiting.isEmpty {
                    server.running -= 1
                    state.servers[origin] = server.running == 0 ? nil : server
                    return nil
                }
                let next = server.waiting.removeFirst().continuation
                state.servers[origin] = server
                return next
            }
            next?.resume(returning: true)
        }
    }
#endif
