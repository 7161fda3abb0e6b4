import TexelCodecs
import TexelPipeline

/// A pipeline at work. Letting go of it does not stop it; ``stop()`` does.
public final class FrameRun: Sendable {
    private let pipeline: FramePipeline
    private let queue: FrameQueue
    private let pool: FramePool
    private let turnstile = Turnstile()
    private let recorder: FrameRecorder
    private let end = FrameStop()
    private let workers: [FrameWorker]
    private let crew: BandCrew?
    private let state = Monitor(State())

    /// From here on the work of one frame is worth being shared.
    private static let sharedPixels = 2 << 20

    private struct State {
        var runningThreads = 0
        /// A worker's or the sink's: of a frame that came before whatever the source failed at.
        var error: FrameError?
        var sourceError: FrameError?
        var isStoppedByUser = false
    }

    init(_ pipeline: FramePipeline) throws(FrameError) {
        self.pipeline = pipeline
        let options = pipeline.options
        let format = pipeline.source.format
        let forecast = try FrameRenderer.forecast(format, pipeline.recipe, limits: options.limits)
        // A large frame is shared by all threads: it is done sooner, and one buffer is enough.
        let isShared =
            options.workers > 1 && forecast.isShareable && !pipeline.sink.isEncoder
            && (forecast.size.pixelCount ?? 0) >= Self.sharedPixels
        crew = isShared ? BandCrew(size: options.workers) : nil
        let workerCount = isShared ? 1 : max(1, options.workers)
        queue = FrameQueue(policy: pipeline.policy, capacity: options.queueCapacity)
        let duplicates = options.dropsDuplicates ? DuplicateFilter() : nil
        let recorder = FrameRecorder(clock: options.clock)
        self.recorder = recorder
        let stream = FrameStream(size: forecast.size, rate: format.rate, color: format.color)
        // The filter keeps the frame that was delivered last.
        pool = try pipeline.sink.makePool(
            for: stream, capacity: workerCount + pipeline.sink.framesKept + (duplicates == nil ? 0 : 1))
        if pipeline.policy != .block { try pool.prepare(byteCount: try Frame.byteCount(stream.size)) }
        var workers: [FrameWorker] = []
        for _ in 0..<workerCount {
            workers.append(
                FrameWorker(
                    renderer: FrameRenderer(
                        pipeline.recipe, limits: options.limits, strictness: options.strictness, crew: crew),
                    writer: try pipeline.sink.makeWriter(for: stream), duplicates: duplicates, recorder: recorder,
                    clock: options.clock, dropsDamaged: options.dropsDamaged))
        }
        self.workers = workers
    }

    // MARK: What users do

    /// What was done so far.
    public var statistics: FrameStatistics {
        let counting = pipeline.source as? any FrameDropCounting
        return recorder.snapshot { cause in counting?.droppedFrames(cause) ?? 0 }
    }

    /// No frame is taken from the source or worked on until ``resume()``; those at work are finished.
    public func pause() { queue.setPaused(true) }

    public func resume() { queue.setPaused(false) }

    /// Ends the run; frames that wait are given up, those at work are not delivered. Returns at once.
    public func stop() {
        state.withLock { $0.isStoppedByUser = true }
        abandon()
    }

    public var isRunning: Bool { state.withLock { $0.runningThreads > 0 } }

    /// Waits for the end.
    ///
    /// - Throws: why the stream ended before its end; nothing where ``stop()`` ended it.
    @discardableResult
    public func wait() throws(FrameError) -> FrameStatistics {
        let error = state.wait { state -> FrameError?? in
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
            fail(.cannotRead(.resourceTemporarilyUnavailable))
            threadEnded()
        }
    }

    /// The last thread to end finishes the sink, so that whoever waits finds everything written.
    private func threadEnded() {
        let (isLast, isSound) = state.withLock { state in
            if state.runningThreads == 1 { return (true, state.error == nil && state.sourceError == nil) }
            state.runningThreads -= 1
            return (false, false)
        }
        guard isLast else { return }
        if isSound {
            do throws(FrameError) { try pipeline.sink.finish() } catch { fail(error) }
        }
        crew?.dismiss()
        recorder.finish()
        state.update { $0.runningThreads -= 1 }
    }

    private func fail(_ error: FrameError) {
        state.withLock { state in
            if state.error == nil, !state.isStoppedByUser { state.error = error }
        }
        abandon()
    }

    /// Wakes everybody who waits.
    private func abandon() {
        end.stop()
        queue.abandon()
        turnstile.abandon()
        pool.close()
    }

    private func readSource() {
        let clock = pipeline.options.clock
        do throws(FrameError) {
            while queue.waitForDemand() {
                let before = clock.now
                guard let frame = try pipeline.source.nextFrame(end) else { break }
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
            // Frames that came before are delivered before the run ends.
            state.withLock { $0.sourceError = error }
            queue.close()
        }
    }

    private func work(_ worker: FrameWorker) {
        do throws(FrameError) {
            // The buffer first: whoever takes a frame can then finish it, and no earlier turn waits for a later one.
            while let lease = try pool.lease(byteCount: 0) {
                guard let ticket = queue.pop() else { return }
                try worker.run(ticket, lease, turnstile)
            }
        } catch {
            fail(error)
        }
    }
}
