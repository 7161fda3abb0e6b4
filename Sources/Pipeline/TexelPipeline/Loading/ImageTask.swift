public import TexelCodecs
public import TexelCore
public import TexelPixels

/// The running work for one image request: its result, its events, its priority and its cancellation.
///
/// Tasks for equal requests share one piece of work. The work stops when all of them are cancelled or released. A task
/// is retained by its ``events`` and while its ``value`` is awaited. Call ``keepRunning()`` to let the work finish
/// although the task is released.
public final class ImageTask<Output: Sendable>: Sendable {
    /// An event of a task; the last event is always ``finished(_:)``.
    public enum Event: Sendable {
        /// How many rows have been decoded.
        case progress(RowProgress)
        /// An image of the scans that have arrived, to show until the next event; never delivered after the end.
        case preview(PixelBuffer)
        /// The task has ended with this result.
        case finished(Result<Output, TexelError>)
    }

    /// The request that the task carries out.
    public let request: ImageRequest
    private let urgency: Urgency
    private let membership: Membership<Output, ImageReports<Output>>
    private let broadcast: Broadcast<Event>
    private let place: Int

    init(
        _ request: ImageRequest, _ urgency: Urgency, _ membership: Membership<Output, ImageReports<Output>>
    ) {
        self.request = request
        self.urgency = urgency
        self.membership = membership
        broadcast = ImageReports.makeBroadcast()
        place = membership.job.reports.add(broadcast)
    }

    deinit { membership.job.reports.remove(place) }

    /// The urgency of the task; may be changed at any time, including while the work waits or runs.
    public var priority: Priority {
        get { urgency.priority }
        set { urgency.set(newValue) }
    }

    /// Cancels this task. If no other task shares its work, the work stops within a band of rows.
    public func cancel() {
        membership.leave()
        membership.job.reports.remove(place)
        // If the task has already finished, this has no effect.
        broadcast.send(.finished(.failure(.stopped(.cancelled))))
        broadcast.finish()
    }

    /// The result; waits until it is made. Cancelling the waiting Swift task cancels this task.
    ///
    /// - Throws: `TexelError`; `cancelled` after ``cancel()``.
    public var value: Output {
        get async throws(TexelError) {
            let outcome = await withTaskCancellationHandler {
                await membership.outcome()
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    /// The events from now on. The last one is ``Event/finished(_:)``, even for a listener that starts after the end.
    ///
    /// The sequence and its iterators retain the task, so a loop over the events of a task that nothing else holds runs
    /// to the end:
    ///
    ///     for await event in pipeline.imageTask(for: request).events { … }
    public var events: Events { Events(self, broadcast.listen(bufferingNewest: 4)) }

    /// Lets the work finish although the task is released, for example to fill the caches. ``cancel()`` still stops it.
    public func keepRunning() {
        Task { [membership] in _ = await membership.outcome() }
    }

    /// The events of an ``ImageTask``: a sequence for one task, which ends at once when that task is cancelled.
    ///
    /// A slow listener may miss progress and previews, but never the end.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event
        public typealias Failure = Never

        private let task: ImageTask
        private let listener: BroadcastListener<Event>

        fileprivate init(_ task: ImageTask, _ listener: BroadcastListener<Event>) {
            self.task = task
            self.listener = listener
        }

        /// The number of events that newer ones have replaced before they were read.
        public var droppedCount: Int { listener.droppedCount }

        /// Makes an iterator; all iterators share one buffer.
        public func makeAsyncIterator() -> Iterator { Iterator(task: task, base: listener.makeAsyncIterator()) }

        /// Iterates over the events; retains the task.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let task: ImageTask
            fileprivate var base: BroadcastListener<Event>.Iterator

            public mutating func next() async -> Event? { await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
                let event = await base.next(isolation: actor)
                withExtendedLifetime(task) {}
                return event
            }
        }
    }
}
