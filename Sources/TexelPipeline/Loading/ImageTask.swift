public import TexelCodecs
public import TexelPixels

/// A picture on its way: what has become of it so far, how urgent it is, and how to do without it.
///
/// Tasks for equal requests share one piece of work. It stops when all of them are cancelled or let go of.
public final class ImageTask<Output: Sendable>: Sendable {
    /// What a task tells while it goes on; the last event is always ``finished(_:)``.
    public enum Event: Sendable {
        case progress(RowProgress)
        /// A picture of what has arrived, to be shown until the next one; never after the end.
        case preview(PixelBuffer)
        case finished(Result<Output, PipelineError>)
    }

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

    /// May be changed at any time, also while the work waits or runs.
    public var priority: Priority {
        get { urgency.priority }
        set { urgency.set(newValue) }
    }

    /// Does without the picture. The work goes on for other tasks that share it, else it stops within a band of rows.
    public func cancel() {
        membership.leave()
        membership.job.reports.remove(place)
        // Behind the end nothing is sent.
        broadcast.send(.finished(.failure(.codec(.stopped(.cancelled)))))
        broadcast.finish()
    }

    /// Waits for the picture. Cancelling the Swift task that waits cancels this one.
    ///
    /// - Throws: `PipelineError`; `codec(.stopped(.cancelled))` after ``cancel()``.
    public var value: Output {
        get async throws(PipelineError) {
            let outcome = await withTaskCancellationHandler {
                await membership.outcome()
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    /// What happens from now on, and what it came to: also one who begins to listen after the end hears that.
    public var events: BroadcastListener<Event> { broadcast.listen(bufferingNewest: 4) }
}
