import Synchronization
import TexelCodecs

/// What reading a header gives: who can decode the picture, here or in a child.
struct ReadHeader: Sendable {
    let source: ImageSource
    var isolated: IsolatedInput?
}

/// An input whose header has been read, and whose bytes are in memory or on their way.
final class LoadedInput: Sendable {
    let source: ImageSource
    /// What caches know these bytes by.
    let version: InputIdentity?
    /// The bytes, where children are to decode them; ``source`` only knows the header then.
    let isolated: IsolatedInput?
    /// `nil` where all bytes were there from the beginning.
    let arrival: Arrival?
    /// The stay among those that wait for their turn to be decoded; ends with it.
    private let permit: AdmissionGate.Permit

    init(_ header: ReadHeader, version: InputIdentity?, arrival: Arrival? = nil, permit: AdmissionGate.Permit) {
        source = header.source
        isolated = header.isolated
        self.version = version
        self.arrival = arrival
        self.permit = permit
    }

    /// Runs what decodes the input when it is its turn: on a worker, or while the bytes arrive on a thread that may wait
    /// for them.
    ///
    /// - Parameter bytes: in memory while it goes on, beside the input's own.
    func run<Value: Sendable>(
        on pool: WorkerPool, arrivals: WorkerPool, bytes: @escaping @Sendable () -> Int, urgency: Urgency,
        stop: StopToken, _ body: @escaping @Sendable () throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value {
        let bytes = { @Sendable [source] in bytes() + source.byteCountSoFar }
        let work = { @Sendable () throws(PipelineError) -> Value in
            // From now on the budget of those that work counts the bytes.
            self.permit.leave()
            return try body()
        }
        if let arrival, !arrival.isComplete {
            let early = try await arrivals.runIfFree(bytes: bytes, urgency: urgency, stop: stop, work)
            if let early { return early }
            try await arrival.end()
        }
        return try await pool.run(bytes: bytes, urgency: urgency, stop: stop, work)
    }

    /// What is wrong in truth where a decoder only knows that no more bytes came.
    func cause(of error: PipelineError) -> PipelineError {
        guard case .codec(.stopped(.sourceFailed)) = error else { return error }
        return arrival?.failure ?? error
    }
}

/// Bytes on their way. Nobody waits for them any more when this is let go of.
final class Arrival: Sendable {
    let bytes: ArrivingBytes
    /// How many bytes will come, where somebody said so.
    let announcedCount: Int?
    private let state = Mutex<(delivery: Task<Void, Never>?, failure: PipelineError?)>((nil, nil))

    init(_ opened: OpenedBytes, limits: Limits) throws(CodecError) {
        announcedCount = opened.count
        bytes = try ArrivingBytes(expectedCount: opened.count, limit: limits.inputBytes)
    }

    deinit { state.withLock { $0.delivery }?.cancel() }

    /// Lets the bytes come, through `deliver`. Called once.
    func begin(_ deliver: @escaping @Sendable (ArrivingBytes) async throws(PipelineError) -> Void) {
        let (bytes, announcedCount) = (bytes, announcedCount)
        let delivery = Task { [weak self] in
            do throws(PipelineError) {
                try await deliver(bytes)
                if let announcedCount, bytes.count < announcedCount {
                    throw .transfer(.incomplete(received: bytes.count, announced: announcedCount))
                }
                bytes.finish()
            } catch {
                // Known before anybody asks why.
                self?.state.withLock { $0.failure = error }
                bytes.fail()
            }
        }
        state.withLock { $0.delivery = delivery }
    }

    var failure: PipelineError? { state.withLock { $0.failure } }

    /// Whether all bytes have come.
    var isComplete: Bool { bytes.wholeCount != nil }

    /// Waits until all bytes have come. Cancelling the task that waits leaves the bytes on their way.
    ///
    /// - Throws: why they do not come, `codec(.stopped(.cancelled))`.
    func end() async throws(PipelineError) {
        let waiter = Waiter<Void>()
        // The wait for a task cannot be left; this one can.
        let delivery = state.withLock { $0.delivery }
        Task {
            await delivery?.value
            waiter.resume(.success(()))
        }
        let outcome = await withTaskCancellationHandler {
            await waiter.result()
        } onCancel: {
            waiter.resume(.failure(.codec(.stopped(.cancelled))))
        }
        try outcome.get()
        if let failure { throw failure }
    }
}
