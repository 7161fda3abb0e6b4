import Synchronization
import TexelCodecs
import TexelPixels

/// Shares decoders: the rows of one decoder go to all recipes that requested them before it began.
///
/// Only recipes that decode at the same scale share a decoder, so a result never depends on other requests.
final class SharedDecodes: Sendable {
    /// What must be equal for two recipes to use the same rows.
    private struct Key: Hashable {
        let input: ObjectIdentifier
        let shrink: Int
        let frame: Int?
        let strictness: Strictness
        let limits: Limits
    }

    private let pool: WorkerPool
    /// Threads that may wait for bytes.
    private let arrivals: WorkerPool
    private let jobs = SharedJobs<Key, Void, DecodeGroup>()
    private let begun = Atomic(0)

    init(_ pool: WorkerPool, arrivals: WorkerPool) {
        self.pool = pool
        self.arrivals = arrivals
    }

    /// How many decoders have started.
    var count: Int { begun.load(ordering: .relaxed) }

    /// Counts a decoder that is not shared.
    func countOther() { begun.add(1, ordering: .relaxed) }

    /// How many runs wait for a decoder to start.
    var waitingCount: Int { jobs.reports.reduce(0) { $0 + $1.count } }

    /// Decodes the input of some runs when its turn has come, and completes each run on the same thread.
    ///
    /// Cancelling the task cancels their `stop`; the decoder ends if no other run needs its rows.
    ///
    /// - Parameters:
    ///   - runs: runs with the same input and stop token, whose plans begin with pixels of the same frame and the
    ///     same shrink factor.
    ///   - finish: completes the run with the given index.
    func run<Output: Sendable>(
        _ runs: [RecipeRun], urgency: Urgency,
        finish: @escaping @Sendable (Int, consuming DecodedImage) throws(PipelineError) -> Output
    ) async throws(PipelineError) -> [Output] {
        guard let first = runs.first else { return [] }
        let (input, stop, shrink) = (first.input, first.stop, first.plan.shrink)
        var frameOptions = first.decodeOptions
        frameOptions.frame = first.plan.frame
        let options = frameOptions
        let waiters = runs.map { _ in Waiter<Output>() }
        let viewers = zip(runs, waiters).enumerated().map { index, viewer in
            DecodeGroup.Viewer(plan: viewer.0.plan, stop: stop, rowCounter: viewer.0.rowCounter) {
                (decoded: consuming Result<DecodedImage, PipelineError>) in
                do throws(PipelineError) {
                    viewer.1.resume(.success(try finish(index, decoded.get())))
                } catch {
                    viewer.1.resume(.failure(error))
                }
            }
        }
        let key = Key(
            input: ObjectIdentifier(input), shrink: shrink, frame: options.frame, strictness: options.strictness,
            limits: options.limits)
        func join() -> Membership<Void, DecodeGroup> {
            jobs.join(key, urgency: urgency, reports: DecodeGroup()) { job throws(PipelineError) in
                try await self.decode(input, shrink, options, job)
            }
        }
        var membership = join()
        while !membership.job.reports.admit(viewers, byteLimit: pool.byteBudget / pool.width) {
            // The decoder has started, or has enough images to make: begin another one.
            membership.job.close()
            membership = join()
        }
        let results = await withTaskCancellationHandler {
            var results: [Result<Output, PipelineError>] = []
            for waiter in waiters { results.append(await waiter.result()) }
            return results
        } onCancel: {
            stop.cancel()
            for waiter in waiters { waiter.resume(.failure(.codec(.stopped(.cancelled)))) }
        }
        // Held until here, so that the job is not cancelled.
        membership.leave()
        var outputs: [Output] = []
        for result in results { outputs.append(try result.get()) }
        return outputs
    }

    private func decode(
        _ input: LoadedInput, _ shrink: Int, _ options: DecodeOptions, _ job: SharedJob<Void, DecodeGroup>
    ) async throws(PipelineError) {
        let audience = job.reports
        do throws(PipelineError) {
            try await input.run(
                on: pool, arrivals: arrivals, bytes: { audience.estimatedBytes }, urgency: job.urgency, stop: job.stop
            ) {
                self.begun.add(1, ordering: .relaxed)
                job.close()
                audience.decode(input.source, shrink: shrink, options, parallelism: { self.pool.threadsPerTask })
            }
        } catch {
            // The decoder has not started, so no run was told its result.
            job.close()
            audience.end(error)
            throw error
        }
    }
}

/// The runs that use the rows of one decoder. Runs may join until it starts, as long as there is memory for their
/// images.
final class DecodeGroup: Sendable {
    struct Viewer: Sendable {
        let plan: Plan
        let stop: StopToken
        let rowCounter: RowCounter?
        /// Called with the decoded image, or with the error.
        let finish: @Sendable (consuming Result<DecodedImage, PipelineError>) -> Void

        /// Reports an error; if the run was stopped, the reason for that instead.
        func fail(_ error: PipelineError) { finish(.failure(stop.reason.map { .codec(.stopped($0)) } ?? error)) }

        /// Whether the run was stopped; if so, reports it.
        func hasStopped() -> Bool {
            guard let reason = stop.reason else { return false }
            finish(.failure(.codec(.stopped(reason))))
            return true
        }
    }

    private struct State {
        var viewers: [Viewer] = []
        /// The bytes of all their images.
        var imageBytes = 0
    }

    /// `nil` once the decoder has started.
    private let state = Mutex<State?>(State())

    /// How many runs there are; 0 once the decoder has started.
    var count: Int { state.withLock { $0?.viewers.count ?? 0 } }

    /// Adds runs. Returns `false` if the decoder has started, or if all images together would take more than
    /// `byteLimit`, because they are in memory at the same time. The first runs are always added.
    func admit(_ newcomers: [Viewer], byteLimit: Int) -> Bool {
        state.withLock { state in
            let bytes = newcomers.reduce(state?.imageBytes ?? 0) { $0 + $1.plan.imageBytes }
            guard let count = state?.viewers.count, count == 0 || bytes <= byteLimit else { return false }
            state?.viewers += newcomers
            state?.imageBytes = bytes
            return true
        }
    }

    /// Bytes in memory while the decoder runs, without the input's own.
    var estimatedBytes: Int {
        state.withLock { state in
            let plans = (state?.viewers ?? []).filter { $0.stop.reason == nil }.map(\.plan)
            // Each plan includes the decoder's memory, so add only the images to the largest plan.
            return (plans.map(\.estimatedBytes).max() ?? 0)
                + plans.map(\.imageBytes).reduce(0, +) - (plans.map(\.imageBytes).max() ?? 0)
        }
    }

    /// Closes the group to new runs. The caller must report a result to every returned run.
    private func close() -> [Viewer] {
        state.withLock { state in
            defer { state = nil }
            return state?.viewers ?? []
        }
    }

    /// Reports an error to all runs; the decoder does not start.
    func end(_ error: PipelineError) {
        for viewer in close() { viewer.fail(error) }
    }

    /// Decodes, and passes each run its image.
    func decode(
        _ source: ImageSource, shrink: Int, _ options: DecodeOptions, parallelism: @escaping @Sendable () -> Int
    ) {
        let admitted = close().filter { !$0.hasStopped() }
        guard let first = admitted.first else { return }
        var options = options
        if admitted.count == 1 {
            options.stopCheck = first.stop.check
            options.rowCounter = first.rowCounter
            let route = PixelRoute(source, plan: first.plan, options: options, parallelism: parallelism)
            return first.finish(Result { () throws(PipelineError) in try route.load() })
        }
        options.stopCheck = StopCheck { admitted.allSatisfy { $0.stop.reason != nil } ? .cancelled : nil }
        options.shrink = shrink
        let decoder: any RowDecoder
        do throws(CodecError) {
            decoder = try source.decoder(options)
        } catch {
            for viewer in admitted { viewer.fail(.codec(error)) }
            return
        }
        decode(for: admitted, decoder, isParallel: parallelism() > 1)
    }

    private func decode(for viewers: [Viewer], _ decoder: any RowDecoder, isParallel: Bool) {
        // `nil` for runs whose result was reported.
        var receivers: [RowReceiver?] = []
        for viewer in viewers {
            do throws(CodecError) {
                receivers.append(try RowReceiver(viewer.plan.load, shrink: viewer.plan.shrink, of: decoder))
            } catch {
                viewer.finish(.failure(.codec(error)))
                receivers.append(nil)
            }
        }
        do throws(CodecError) {
            let notes = try RowReceiver.read(decoder, isParallel: isParallel) { band in
                for (index, viewer) in viewers.enumerated() where receivers[index] != nil {
                    // Frees the memory of a stopped run within a band.
                    if viewer.hasStopped() { receivers[index] = nil }
                    receivers[index]?.take(band)
                    viewer.rowCounter?.advance(by: band.rows.count)
                }
            }
            for (index, viewer) in viewers.enumerated() {
                guard let image = receivers[index]?.finish() else { continue }
                // Release this reference first: each step would copy a shared buffer.
                receivers[index] = nil
                viewer.finish(.success(DecodedImage(image, notes)))
            }
        } catch {
            for (index, viewer) in viewers.enumerated() where receivers[index] != nil { viewer.fail(.codec(error)) }
        }
    }
}
