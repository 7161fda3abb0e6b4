import PlatformLibc
import TexelCodecs
public import TexelCore
public import TexelPipeline
import TexelPixels

/// A running pipeline. Releasing it does not stop it; ``stop()`` does.
public final class FrameRun: Sendable {
    private let pipeline: FramePipeline
    private let queue: FrameQueue
    private let pool: FramePool
    private let turnstile = DeliveryOrder()
    private let recorder: FrameRecorder
    private let end = StopToken()
    private let workers: [FrameWorker]
    private let threadGroup: BandThreadGroup?
    private let state = Monitor(State())
    private let eventBroadcast = Broadcast<FrameEvent> { _ in false }

    /// The frame size in pixels from which several threads share one frame.
    private static let sharedPixels = 2 << 20

    private struct State {
        var runningThreads = 0
        /// The first error of a worker or the sink. It precedes `sourceError`: its frame came before the source failed.
        var error: TexelError?
        var sourceError: TexelError?
        var isStoppedByUser = false
    }

    init(_ pipeline: FramePipeline) throws(TexelError) {
        self.pipeline = pipeline
        let options = pipeline.options
        let format = pipeline.source.format
        let forecast = try FrameRenderer.forecast(format, pipeline.recipe, limits: options.decodePolicy.limits)
        // Sharing a large frame lowers its latency and needs only one buffer.
        let isShared =
            options.workers > 1 && forecast.isShareable && !pipeline.sink.isEncoder
            && (forecast.size.pixelCount ?? 0) >= Self.sharedPixels
        threadGroup = isShared ? BandThreadGroup(size: options.workers) : nil
        let workerCount = isShared ? 1 : max(1, options.workers)
        queue = FrameQueue(policy: pipeline.policy, capacity: options.queueCapacity)
        let duplicates = options.dropsDuplicates ? DuplicateFilter() : nil
        let recorder = FrameRecorder(clock: options.clock)
        self.recorder = recorder
        var stream = FrameStream(size: forecast.size, rate: format.rate, color: format.color)
        stream.hasAlpha = format.hasAlpha && forecast.keepsAlpha
        // One more buffer for the duplicate filter, which holds the last delivered frame.
        pool = try pipeline.sink.makePool(
            for: stream, capacity: workerCount + pipeline.sink.framesKept + (duplicates == nil ? 0 : 1))
        if pipeline.policy != .block { try pool.prepare(byteCount: try Frame.byteCount(stream.size)) }
        var workers: [FrameWorker] = []
        for _ in 0..<workerCount {
            workers.append(
                FrameWorker(
                    renderer: FrameRenderer(
                        pipeline.recipe, policy: options.decodePolicy, threadGroup: threadGroup),
                    writer: try pipeline.sink.makeWriter(for: stream), duplicates: duplicates, recorder: recorder,
                    clock: options.clock, dropsDamaged: options.dropsDamaged))
        }
        self.workers = workers
    }

    // MARK: What users do

    /// Counts and times so far.
    public var statistics: FrameStatistics {
        recorder.snapshot { cause in pipeline.source.countDropped(cause) }
    }

    /// The events of the stream from now on. Ends with the run; a listener that falls behind by more than 16 events
    /// gets the newest.
    public var events: BroadcastListener<FrameEvent> { eventBroadcast.listen(bufferingNewest: 16) }

    /// How frames were repeated or left out so far, for an output that stores no times; `nil` if none were.
    public var rateConversion: RateConversion? {
        pipeline.constantRate.flatMap { $0.conversion.isEmpty ? nil : $0.conversion }
    }

    /// Stops reading and rendering until ``resume()``; frames in progress are finished.
    public func pause() { queue.setPaused(true) }

    /// Continues after ``pause()``.
    public func resume() { queue.setPaused(false) }

    /// Ends the run and returns at once. Waiting frames are dropped, those in progress are not delivered.
    public func stop() {
        state.withLock { $0.isStoppedByUser = true }
        abandon()
    }

    /// Whether threads of the run are still active.
    public var isRunning: Bool { state.withLock { $0.runningThreads > 0 } }

    /// Blocks until the run ends and returns its statistics.
    ///
    /// - Throws: The error that ended the stream early; nothing after ``stop()``.
    @discardableResult
    public func wait() throws(TexelError) -> FrameStatistics {
        let error = state.wait { state -> TexelError?? in
            state.runningThreads == 0 ? .some(state.error ?? state.sourceError) : nil
        }
        recorder.finish()
        if let error { throw error }
        return statistics
    }

    // MARK: The threads

    func begin() {
        state.withLock { $0.runningThreads = workers.count + 1 }
        startThread { $0.readSource() }
        for worker in workers { startThread { $0.work(worker) } }
    }

    private func startThread(_ body: @escaping @Sendable (FrameRun) -> Void) {
        let thread = WorkerThread {
            body(self)
            self.threadEnded()
        }
        if let thread {
            thread.detach()
        } else {
            fail(.streamFailed(EAGAIN))
            threadEnded()
        }
    }

    /// The last thread to end finishes the sink, so that all output is written when ``wait()`` returns.
    private func threadEnded() {
        let (isLast, isSound) = state.withLock { state in
            if state.runningThreads == 1 { return (true, state.error == nil && state.sourceError == nil) }
            state.runningThreads -= 1
            return (false, false)
        }
        guard isLast else { return }
        if isSound {
            do throws(TexelError) { try pipeline.sink.finish() } catch { fail(error) }
        }
        threadGroup?.dismiss()
        recorder.finish()
        eventBroadcast.finish()
        state.update { $0.runningThreads -= 1 }
    }

    private func fail(_ error: TexelError) {
        state.withLock { state in
            if state.error == nil, !state.isStoppedByUser { state.error = error }
        }
        abandon()
    }

    /// Wakes all waiting threads.
    private func abandon() {
        end.cancel()
        queue.abandon()
        turnstile.abandon()
        pool.close()
    }

    private func readSource() {
        let clock = pipeline.options.clock
        do throws(TexelError) {
            while queue.waitForDemand() {
                let before = clock.now
                let next = try pipeline.source.nextFrame(end)
                try noteFaults()
                guard let frame = next else { break }
                let arrival = clock.now
                recorder.frameCame(after: arrival - before)
                switch queue.push(FrameQueue.TimedFrame(frame: frame, arrival: arrival)) {
                case .accepted: break
                case .dropped(let count): recorder.dropped(count, .queue)
                case .closed: return
                }
            }
            queue.close()
        } catch {
            if end.isStopped { return }
            // Earlier frames are delivered before the run ends.
            state.withLock { $0.sourceError = error }
            queue.close()
        }
    }

    /// Counts the damage that the source has noticed, and notifies the listeners.
    ///
    /// - Throws: `damagedStream` if the strictness does not allow it. A live stream goes on: what is lost on a network
    ///   cannot be read again.
    private func noteFaults() throws(TexelError) {
        let faults = pipeline.source.allFaults
        guard recorder.note(faults) else { return }
        eventBroadcast.send(.damage(faults))
        guard !pipeline.source.format.isLive, pipeline.options.decodePolicy.strictness.rejects(faults) else { return }
        throw .damagedStream(faults)
    }

    private func work(_ worker: FrameWorker) {
        do throws(TexelError) {
            // Lease the buffer first: then every frame that is taken can be finished, and no earlier turn waits for a
            // later one.
            while let lease = try pool.lease(byteCount: 0) {
                guard let ticket = queue.pop() else { return }
                try worker.run(ticket, lease, turnstile)
            }
        } catch {
            fail(error)
        }
    }
}
