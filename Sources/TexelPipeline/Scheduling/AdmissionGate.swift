import Synchronization
import TexelCodecs

/// Where work waits until there is room for it, without a thread that waits.
final class AdmissionGate: Sendable {
    typealias Ticket = AdmissionQueue<Entry>.Ticket

    /// What is called once: when its turn has come, or when it is taken back before.
    struct Entry: Sendable {
        var begin: @Sendable (_ bytes: Int) -> Void
        var abandon: @Sendable () -> Void
    }

    private let queue: Mutex<AdmissionQueue<Entry>>

    /// - Parameters:
    ///   - width: how many may be inside at the same time.
    ///   - byteBudget: how many bytes those inside may declare together; one above it is inside alone.
    init(width: Int, byteBudget: Int) {
        queue = Mutex(AdmissionQueue(width: width, byteBudget: byteBudget))
    }

    var waitingCount: Int { queue.withLock { $0.waitingCount } }

    /// Lets somebody in, now or later.
    ///
    /// - Parameters:
    ///   - bytes: asked for when its turn has come; must not take long, nor call the gate.
    ///   - begin: called on any thread with the bytes to give back to ``leave(bytes:)``; must not take long.
    func enter(
        bytes: @escaping @Sendable () -> Int, priority: Priority, begin: @escaping @Sendable (_ bytes: Int) -> Void,
        abandon: @escaping @Sendable () -> Void
    ) -> Ticket {
        let ticket = queue.withLock {
            $0.add(Entry(begin: begin, abandon: abandon), bytes: bytes, priority: priority)
        }
        admit()
        return ticket
    }

    /// Makes room again.
    func leave(bytes: Int) {
        queue.withLock { $0.release(bytes: bytes) }
        admit()
    }

    /// Takes one back that waits; does nothing where it is inside.
    func withdraw(_ ticket: Ticket) {
        guard let entry = queue.withLock({ $0.remove(ticket) }) else { return }
        entry.abandon()
        // It may have been the one that the others waited for.
        admit()
    }

    func setPriority(_ priority: Priority, of ticket: Ticket) {
        queue.withLock { $0.setPriority(priority, of: ticket) }
    }

    private func admit() {
        while let (entry, bytes) = queue.withLock({ $0.admit() }) { entry.begin(bytes) }
    }
}

extension AdmissionGate {
    /// A stay inside; ends when it is let go.
    final class Permit: Sendable {
        private let gate: AdmissionGate
        private let bytes: Int
        private let isInside = Atomic(true)

        fileprivate init(_ gate: AdmissionGate, bytes: Int) {
            self.gate = gate
            self.bytes = bytes
        }

        deinit { leave() }

        func leave() {
            if isInside.exchange(false, ordering: .acquiringAndReleasing) { gate.leave(bytes: bytes) }
        }
    }

    /// Waits to be let in. Cancelling the task that waits takes it back.
    ///
    /// - Throws: `codec(.stopped(.cancelled))`.
    func permit(bytes: Int, urgency: Urgency) async throws(PipelineError) -> Permit {
        try await waiting(urgency) { continuation in
            self.enter(bytes: { bytes }, priority: urgency.priority) { bytes in
                continuation.resume(returning: .success(Permit(self, bytes: bytes)))
            } abandon: {
                continuation.resume(returning: .failure(.codec(.stopped(.cancelled))))
            }
        }
    }

    /// Waits for what an entry resumes; meanwhile its place follows the urgency, and is left when the task is cancelled.
    func waiting<Value: Sendable>(
        _ urgency: Urgency, onCancel: @escaping @Sendable () -> Void = {},
        enter: (CheckedContinuation<Result<Value, PipelineError>, Never>) -> Ticket
    ) async throws(PipelineError) -> Value {
        let place = Place(self)
        let observer = urgency.observe { place.follow($0) }
        defer { urgency.stopObserving(observer) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                place.take(enter(continuation))
                // It may have changed in between.
                place.follow(urgency)
            }
        } onCancel: {
            onCancel()
            place.leave()
        }
        return try result.get()
    }

    /// Where somebody stands in the queue, for those who may want to change that while the place is being taken.
    private final class Place: Sendable {
        private struct State {
            var ticket: Ticket?
            var hasLeft = false
        }

        private let gate: AdmissionGate
        private let state = Mutex(State())

        init(_ gate: AdmissionGate) { self.gate = gate }

        func take(_ ticket: Ticket) {
            let hasLeft = state.withLock { state in
                state.ticket = ticket
                return state.hasLeft
            }
            if hasLeft { gate.withdraw(ticket) }
        }

        func leave() {
            let ticket = state.withLock { state in
                state.hasLeft = true
                return state.ticket
            }
            if let ticket { gate.withdraw(ticket) }
        }

        /// Under the lock, so that of two changes the later one stays.
        func follow(_ urgency: Urgency) {
            state.withLock { state in
                if let ticket = state.ticket { gate.setPriority(urgency.priority, of: ticket) }
            }
        }
    }
}
