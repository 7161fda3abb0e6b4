import Synchronization
package import TexelCodecs
import TexelCore
import TexelFormats

/// An input whose header has been parsed, and whose bytes are in memory or arriving.
package final class LoadedInput: Sendable {
    package let source: any ImageFile
    /// Identifies these bytes in caches.
    let version: InputIdentity?
    /// `nil` if all bytes were there from the start.
    let arrival: Arrival?
    /// Limits the number of loaded inputs that wait to be decoded; released when decoding begins.
    private let permit: AdmissionGate.Permit

    init(_ source: any ImageFile, version: InputIdentity?, arrival: Arrival? = nil, permit: AdmissionGate.Permit) {
        self.source = source
        self.version = version
        self.arrival = arrival
        self.permit = permit
    }

    /// One page of an input, or the input with the header of the whole file.
    private init(_ source: any ImageFile, of input: LoadedInput) {
        self.source = source
        (version, arrival, permit) = (input.version, input.arrival, input.permit)
    }

    /// Returns one page of a file with pages as an input of its own; other inputs are returned as they are. Waits for
    /// all bytes of a file with pages, because the fields of a page may be anywhere in it.
    ///
    /// - Parameters:
    ///   - index: from 0; `nil` for the whole input.
    ///   - needsWholeHeader: whether to wait for all bytes if more of them may change the header, as metadata after the
    ///     pixels of a PNG do.
    ///   - limits: checked with the size of the page.
    /// - Throws: `missingPage`, any error of the page's header.
    func page(
        _ index: Int?, needsWholeHeader: Bool, limits: Limits, _ urgency: Urgency, _ stop: StopToken
    ) async throws(TexelError) -> LoadedInput {
        let index = source.mayHavePages ? index : nil
        guard index != nil || needsWholeHeader && !source.holdsWholeHeader else { return self }
        if let arrival, !arrival.isComplete { try await arrival.end() }
        let page = try await WorkerPool.files.run(bytes: { 0 }, urgency: urgency, stop: stop) {
            [source] () throws(TexelError) -> any ImageFile in
            if let index, let isolated = source as? IsolatedFile {
                return try isolated.page(index, limits: limits, stop)
            }
            return try source.withWholeHeader(limits: limits, stop).page(of: index, limits: limits, stop)
        }
        return LoadedInput(page, of: self)
    }

    /// Runs `body`, which decodes the input, when its turn has come: on a worker, or, while bytes are arriving, on a
    /// thread that may wait for them.
    ///
    /// - Parameter bytes: the memory that `body` takes, without the input's own bytes.
    func run<Value: Sendable>(
        on pool: WorkerPool, arrivals: WorkerPool, bytes: @escaping @Sendable () -> Int, urgency: Urgency,
        stop: StopToken, _ body: @escaping @Sendable () throws(TexelError) -> Value
    ) async throws(TexelError) -> Value {
        let bytes = { @Sendable [source] in bytes() + source.ownedByteCount }
        let work = { @Sendable () throws(TexelError) -> Value in
            // From now on, the workers' budget includes the input's bytes.
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

    /// Replaces a decoder's error by the error of the input, if that is the reason.
    func cause(of error: TexelError) -> TexelError {
        if let failure = source.reloadableMemory.failure { return failure }
        guard error.kind == .sourceFailed else { return error }
        return arrival?.failure ?? error
    }
}

extension Optional where Wrapped == any ReloadableMemory {
    /// The error of a mapped file that could not be read as a whole.
    var failure: TexelError? { (self as? MappedFile)?.failure }
}

/// Bytes that are arriving. The transfer is cancelled on deinitialisation.
final class Arrival: Sendable {
    let bytes: ArrivingBytes
    /// The announced number of bytes; `nil` if unknown.
    let announcedCount: Int?
    private let state = Mutex<(delivery: Task<Void, Never>?, failure: TexelError?)>((nil, nil))

    init(_ opened: OpenedBytes, limits: Limits) throws(TexelError) {
        announcedCount = opened.count
        bytes = try ArrivingBytes(expectedCount: opened.count, limit: limits.inputBytes, headCheck: .isImage)
    }

    deinit { state.withLock { $0.delivery }?.cancel() }

    /// Starts the transfer through `deliver`. Must be called once.
    func begin(_ deliver: @escaping @Sendable (ArrivingBytes) async throws(TexelError) -> Void) {
        let (bytes, announcedCount) = (bytes, announcedCount)
        let delivery = Task { [weak self] in
            do throws(TexelError) {
                try await deliver(bytes)
                if let announcedCount, bytes.count < announcedCount {
                    throw .incomplete(received: bytes.count, announced: announcedCount)
                }
                bytes.finish()
            } catch {
                // Set before `fail()`, which makes readers ask for it.
                self?.state.withLock { $0.failure = error }
                bytes.fail()
            }
        }
        state.withLock { $0.delivery = delivery }
    }

    var failure: TexelError? { state.withLock { $0.failure } }

    /// Whether all bytes have arrived.
    var isComplete: Bool { bytes.wholeCount != nil }

    /// Waits until all bytes have arrived. Cancelling the waiting task does not cancel the transfer.
    ///
    /// - Throws: the error of the transfer, `cancelled`.
    func end() async throws(TexelError) {
        let waiter = Waiter<Void>()
        // Awaiting a task's value cannot be cancelled; waiting for the waiter can.
        let delivery = state.withLock { $0.delivery }
        Task {
            await delivery?.value
            waiter.resume(.success(()))
        }
        let outcome = await withTaskCancellationHandler {
            await waiter.result()
        } onCancel: {
            waiter.resume(.failure(.stopped(.cancelled)))
        }
        try outcome.get()
        if let failure { throw failure }
    }
}
