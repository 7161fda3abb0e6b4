import Synchronization
import TexelCodecs
import TexelCore

/// A queue for work that waits until there is room for it. Waiting takes no thread.
final class AdmissionGate: Sendable {
    typealias Ticket = AdmissionQueue<Entry>.Ticket

    /// One piece of waiting work. Exactly one of the two closures is called, once: `begin` when the work is admitted,
    /// `abandon` when it is withdrawn before that.
    struct Entry: Sendable {
        var begin: @Sendable (_ bytes: Int) -> Void
        var abandon: @Sendable () -> Void
    }

    private let queue: Mutex<AdmissionQueue<Entry>>

    /// - Parameters:
    ///   - width: how many may run at the same time.
    ///   - byteBudget: the bytes that the admitted work may declare together; work above the budget runs alone.
    init(width: Int, byteBudget: Int) {
        queue = Mutex(AdmissionQueue(width: width, byteBudget: byteBudget))
    }

    var waitingCount: Int { queue.withLock { $0.waitingCount } }

    /// Queues work, and admits it at once if there is room.
    ///
    /// - Parameters:
    ///   - bytes: the memory the work will take; called under the lock when its turn has come, so it must be fast and
    ///     must not call the gate.
    ///   - begin: called on any thread when the work is admitted, with the bytes to pass to ``leave(bytes:)`` at its
    ///     end; must be fast.
    ///   - abandon: called by ``withdraw(_:)`` if the work was not admitted before.
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

    /// Admits work if nothing waits and there is room for it now.
    ///
    /// - Parameter bytes: the memory the work will take.
    /// - Returns: the bytes to pass to ``leave(bytes:)`` at its end; `nil` if it was not admitted.
    func enterAtOnce(bytes: Int) -> Int? { queue.withLock { $0.admitAtOnce(bytes: bytes) } }

    /// Releases a place and its bytes, and admits waiting work.
    func leave(bytes: Int) {
        queue.withLock { $0.release(bytes: bytes) }
        admit()
    }

    /// Removes work that is still waiting and calls its `abandon`. Does nothing once it was admitted.
    func withdraw(_ ticket: Ticket) {
        guard let entry = queue.withLock({ $0.remove(ticket) }) else { return }
        entry.abandon()
        // The withdrawn entry may have been at the head of the queue and blocked the others.
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
    /// A place inside the gate; released by ``leave()`` or on deinitialisation.
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

    /// Waits for a place. Cancelling the waiting task withdraws the request.
    ///
    /// - Throws: `cancelled` if the task is cancelled while it waits.
    func permit(bytes: Int, urgency: Urgency) async throws(TexelError) -> Permit {
        if let bytes = enterAtOnce(bytes: bytes) { return Permit(self, bytes: bytes) }
        return try await waiting(urgency) { continuation in
            self.enter(bytes: { bytes }, priority: urgency.priority) { bytes in
                continuation.resume(returning: .success(Permit(self, bytes: bytes)))
            } abandon: {
                continuation.resume(returning: .failure(.stopped(.cancelled)))
            }
        }
    }

    /// Waits for the continuation that `enter` passes to the gate.
    ///
    /// While the task waits, the priority of its ticket follows `urgency`; if the task is cancelled, `onCancel` is
    /// called and the ticket is withdrawn.
    func waiting<Value: Sendable>(
        _ urgency: Urgency, onCancel: @escaping @Sendable () -> Void = {},
        enter: (CheckedContinuation<Result<Value, TexelError>, Never>) -> Ticket
    ) async throws(TexelError) -> Value {
        let place = Place(self)
        let observer = urgency.observe { place.follow($0) }
        defer { urgency.stopObserving(observer) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                place.take(enter(continuation))
                // The urgency may have changed before the ticket was known.
                place.follow(urgency)
            }
        } onCancel: {
            onCancel()
            place.leave()
        }
        return try result.get()
    }

    /// A ticket that may be withdrawn or given another priority by other threads while it is still being created.
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

        /// Runs under the lock, so that the last of several concurrent changes is the one that stays.
        func follow(_ urgency: Urgency) {
            state.withLock { state in
                if let ticket = state.ticket { gate.setPriority(urgency.priority, of: ticket) }
            }
        }
    }
}
