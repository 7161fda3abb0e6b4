import TexelCodecs
import TexelCore
import TexelPixels

/// Shares decoders: the rows of one decoder go to all recipes that requested them before it began.
///
/// Only recipes that decode at the same scale share a decoder, so a result never depends on other requests.
final class SharedDecodes: Sendable {
    /// Two recipes with equal keys use the same decoded rows.
    private struct Key: Hashable {
        let input: ObjectIdentifier
        let shrink: Int
        let frame: Int?
        let dithers: Bool
        let policy: DecodePolicy
    }

    private let pool: WorkerPool
    /// Threads that may wait for bytes.
    private let arrivals: WorkerPool
    private let jobs = SharedJobs<Key, Void, DecodeGroup>()

    init(_ pool: WorkerPool, arrivals: WorkerPool) {
        self.pool = pool
        self.arrivals = arrivals
    }

    /// How many runs wait for a decoder to start.
    var waitingCount: Int { jobs.reports.reduce(0) { $0 + $1.count } }

    /// Decodes the input of some runs when its turn has come, and completes each run on the same thread.
    ///
    /// Cancelling the task cancels their `stop`; the decoder ends if no other run needs its rows.
    ///
    /// - Parameters:
    ///   - runs: runs with the same input and stop token, whose plans begin with pixels of the same frame, the
    ///     same shrink factor and the same dithering.
    ///   - onBegin: called when a decoder starts for these runs.
    ///   - finish: completes the run with the given index.
    func run<Output: Sendable>(
        _ runs: [RecipeRun], urgency: Urgency, onBegin: @escaping @Sendable () -> Void,
        finish: @escaping @Sendable (Int, consuming DecodedImage) throws(TexelError) -> Output
    ) async throws(TexelError) -> [Output] {
        guard let first = runs.first else { return [] }
        let (input, stop) = (first.input, first.stop)
        let waiters = runs.map { _ in Waiter<Output>() }
        let viewers = zip(runs, waiters).enumerated().compactMap { index, member -> DecodeGroup.Viewer? in
            let (run, waiter) = member
            guard let route = run.plan.planned.pixelRoute else { return nil }
            return DecodeGroup.Viewer(route, stop: stop, rowCounter: run.rowCounter) {
                (decoded: consuming Result<DecodedImage, TexelError>) in
                do throws(TexelError) {
                    waiter.resume(.success(try finish(index, decoded.get())))
                } catch {
                    waiter.resume(.failure(error))
                }
            }
        }
        let context = RouteContext(
            input.source, policy: first.policy,
            parallelism: { [pool] in pool.threadsPerTask })
        let key = Key(
            input: ObjectIdentifier(input), shrink: first.plan.shrink, frame: first.plan.image.frame,
            dithers: first.plan.image.recipe.dithers, policy: first.policy)
        func join() -> Membership<Void, DecodeGroup> {
            jobs.join(key, urgency: urgency, reports: DecodeGroup(viewers)) { job throws(TexelError) in
                try await self.decode(input, context, job, onBegin)
            }
        }
        var membership = join()
        while !membership.hasBegunJob,
            !membership.job.reports.admit(viewers, byteLimit: pool.byteBudget / pool.width)
        {
            // The decoder has started, or has enough images to make: begin another one.
            membership.job.close()
            membership = join()
        }
        let results = await withTaskCancellationHandler {
            var results: [Result<Output, TexelError>] = []
            for waiter in waiters { results.append(await waiter.result()) }
            return results
        } onCancel: {
            stop.cancel()
            for waiter in waiters { waiter.resume(.failure(.stopped(.cancelled))) }
        }
        // Held until here, so that the job is not cancelled.
        membership.leave()
        var outputs: [Output] = []
        for result in results { outputs.append(try result.get()) }
        return outputs
    }

    private func decode(
        _ input: LoadedInput, _ context: RouteContext, _ job: SharedJob<Void, DecodeGroup>,
        _ onBegin: @escaping @Sendable () -> Void
    ) async throws(TexelError) {
        let audience = job.reports
        do throws(TexelError) {
            try await input.run(
                on: pool, arrivals: arrivals, bytes: { audience.estimatedBytes }, urgency: job.urgency, stop: job.stop
            ) {
                onBegin()
                job.close()
                audience.decode(context)
            }
        } catch {
            // The decoder has not started, so no run has received its result.
            job.close()
            audience.end(error)
            throw error
        }
    }
}

/// The work that the requests of a pipeline share.
struct SharedWork: Sendable {
    struct Input: Hashable {
        let identity: InputIdentity
        let limits: Limits
    }

    let inputs = SharedJobs<Input, LoadedInput, Void>(keepsOutcome: true)
    let decodes: SharedDecodes
    let images = SharedJobs<ImageRequest.Key, PixelBuffer, ImageReports<PixelBuffer>>()
    let files = SharedJobs<ImageRequest.Key, EncodedImage, ImageReports<EncodedImage>>()
}
