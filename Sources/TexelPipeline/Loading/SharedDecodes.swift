import Synchronization
import TexelCodecs
import TexelPixels

/// Decoding that several recipes have in common is done once: the rows of one decoder flow into the pictures of all who
/// asked before it began.
///
/// Only decoding at the same scale is shared. What comes out for a recipe is the same, whoever else asks.
final class SharedDecodes: Sendable {
    /// What must be equal for two recipes to see the same rows.
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
    private let jobs = SharedJobs<Key, Void, DecodeAudience>()
    private let begun = Atomic(0)

    init(_ pool: WorkerPool, arrivals: WorkerPool) {
        self.pool = pool
        self.arrivals = arrivals
    }

    /// How many decoders have begun.
    var count: Int { begun.load(ordering: .relaxed) }

    /// Counts one that is nobody else's.
    func countOther() { begun.add(1, ordering: .relaxed) }

    /// How many wait for one to begin.
    var waitingCount: Int { jobs.reports.reduce(0) { $0 + $1.count } }

    /// Decodes the input of some recipes when it is its turn, and goes on with each on the same worker.
    ///
    /// Cancelling the task cancels their `stop`; the decoder ends where nobody else wants its rows.
    ///
    /// - Parameters:
    ///   - runs: of one input, with one stop; their plans begin with pixels of one frame and shrink alike.
    ///   - finish: carries out the rest of the run of that number.
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
            DecodeAudience.Viewer(plan: viewer.0.plan, stop: stop, rowCounter: viewer.0.rowCounter) {
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
        func join() -> Membership<Void, DecodeAudience> {
            jobs.join(key, urgency: urgency, reports: DecodeAudience()) { job throws(PipelineError) in
                try await self.decode(input, shrink, options, job)
            }
        }
        var membership = join()
        while !membership.job.reports.admit(viewers, byteLimit: pool.byteBudget / pool.width) {
            // Who comes when the decoder has begun, or has enough to do, waits for the next one.
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
        // Until here the job knew of somebody who wants it.
        membership.leave()
        var outputs: [Output] = []
        for result in results { outputs.append(try result.get()) }
        return outputs
    }

    private func decode(
        _ input: LoadedInput, _ shrink: Int, _ options: DecodeOptions, _ job: SharedJob<Void, DecodeAudience>
    ) async throws(PipelineError) {
        let audience = job.reports
        do throws(PipelineError) {
            try await input.run(
                on: pool, arrivals: arrivals, bytes: { audience.estimatedBytes }, urgency: job.urgency, stop: job.stop
            ) {
                self.begun.add(1, ordering: .relaxed)
                job.close()
                audience.decode(input.source, shrink: shrink, options, parallelism: { self.pool.threadsForOne })
            }
        } catch {
            // No decoder has begun, so nobody was told.
            job.close()
            audience.end(error)
            throw error
        }
    }
}

/// All who want pictures made of the rows of one decoder. They may join until it begins, as long as there is room.
final class DecodeAudience: Sendable {
    struct Viewer: Sendable {
        let plan: Plan
        let stop: StopToken
        let rowCounter: RowCounter?
        /// Goes on with what was decoded.
        let finish: @Sendable (consuming Result<DecodedImage, PipelineError>) -> Void

        /// Tells what went wrong; of one that was to stop, only that.
        func fail(_ error: PipelineError) { finish(.failure(stop.reason.map { .codec(.stopped($0)) } ?? error)) }

        /// Whether it was to stop, and has been told so.
        func hasStopped() -> Bool {
            guard let reason = stop.reason else { return false }
            finish(.failure(.codec(.stopped(reason))))
            return true
        }
    }

    private struct State {
        var viewers: [Viewer] = []
        /// What their pictures take together.
        var pictureBytes = 0
    }

    /// `nil` once the decoder has begun.
    private let state = Mutex<State?>(State())

    /// How many there are, until it begins.
    var count: Int { state.withLock { $0?.viewers.count ?? 0 } }

    /// Lets newcomers in, unless it is too late, or all pictures together would take more than `byteLimit`: they are in
    /// memory at the same time. Whoever comes first is let in.
    func admit(_ newcomers: [Viewer], byteLimit: Int) -> Bool {
        state.withLock { state in
            let bytes = newcomers.reduce(state?.pictureBytes ?? 0) { $0 + $1.plan.pictureBytes }
            guard let count = state?.viewers.count, count == 0 || bytes <= byteLimit else { return false }
            state?.viewers += newcomers
            state?.pictureBytes = bytes
            return true
        }
    }

    /// Bytes in memory while it goes on, beside the input's own.
    var estimatedBytes: Int {
        state.withLock { state in
            let plans = (state?.viewers ?? []).filter { $0.stop.reason == nil }.map(\.plan)
            // The decoder's own part is in each plan; the pictures come together.
            return (plans.map(\.estimatedBytes).max() ?? 0)
                + plans.map(\.pictureBytes).reduce(0, +) - (plans.map(\.pictureBytes).max() ?? 0)
        }
    }

    /// Nobody may join any more. Every one of the viewers must be told how it ended.
    private func close() -> [Viewer] {
        state.withLock { state in
            defer { state = nil }
            return state?.viewers ?? []
        }
    }

    /// Tells everybody that there will be no decoder.
    func end(_ error: PipelineError) {
        for viewer in close() { viewer.fail(error) }
    }

    /// Decodes, and lets everybody go on with their picture.
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
        // Those who were told how it ended have none.
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
                    // The memory of those who left is free within a band.
                    if viewer.hasStopped() { receivers[index] = nil }
                    receivers[index]?.take(band)
                    viewer.rowCounter?.advance(by: band.rows.count)
                }
            }
            for (index, viewer) in viewers.enumerated() {
                guard let picture = receivers[index]?.finish() else { continue }
                // The picture must be the viewer's alone, or each step would copy it.
                receivers[index] = nil
                viewer.finish(.success(DecodedImage(picture, notes)))
            }
        } catch {
            for (index, viewer) in viewers.enumerated() where receivers[index] != nil { viewer.fail(.codec(error)) }
        }
    }
}
