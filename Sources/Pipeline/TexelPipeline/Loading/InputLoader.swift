import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations

/// Loads inputs and parses their headers: only a limited number before they are decoded.
final class InputLoader: Sendable {
    /// Admits local inputs. They load quickly, so few are read ahead.
    private let localGate: AdmissionGate
    /// Admits transfers, which take longer.
    private let transferGate: AdmissionGate
    /// Threads that may wait for bytes.
    private let arrivals: WorkerPool
    /// Whether the bytes of a source without a version are hashed to identify them.
    private let digestsBytes: Bool
    /// If set, its child processes decode images, and may parse headers too.
    private let isolation: Isolation?

    init(
        readAhead: Int, transfers: Int, byteBudget: Int, arrivals: WorkerPool, digestsBytes: Bool, isolation: Isolation?
    ) {
        self.digestsBytes = digestsBytes
        self.isolation = isolation
        self.arrivals = arrivals
        localGate = AdmissionGate(width: readAhead, byteBudget: byteBudget)
        transferGate = AdmissionGate(width: transfers, byteBudget: byteBudget)
    }

    /// The current version of a local input; `nil` if it has none.
    func version(of source: any ByteSource, limits: Limits) async throws(TexelError) -> InputIdentity? {
        let opened = try await source.opened(limits: limits)
        guard opened.version == nil, digestsBytes, source is BytesSource else { return opened.version }
        switch opened.content {
        case .small(let bytes, _): return Self.name(bytes)
        case .read(let read):
            return try await WorkerPool.files.run(bytes: 0) { () throws(TexelError) in Self.name(try read().bytes) }
        case .arriving: return nil
        }
    }

    private static func name(_ bytes: InputBytes) -> InputIdentity {
        InputIdentity("content:\(ContentDigest(of: bytes).hexadecimal)")
    }

    /// Loads an input.
    func input(
        of source: any ByteSource, _ limits: Limits, _ urgency: Urgency, _ stop: StopToken
    ) async throws(TexelError) -> LoadedInput {
        if source.isLocal {
            let opened = try await source.opened(limits: limits)
            // The bytes of a pipe may take any time to arrive.
            let gate = if case .arriving = opened.content { transferGate } else { localGate }
            let permit = try await gate.permit(bytes: opened.count ?? 0, urgency: urgency)
            return try await read(opened, limits, urgency, stop, permit)
        }
        let permit = try await transferGate.permit(bytes: 0, urgency: urgency)
        return try await read(try await source.opened(limits: limits), limits, urgency, stop, permit)
    }

    private func read(
        _ opened: OpenedBytes, _ limits: Limits, _ urgency: Urgency, _ stop: StopToken, _ permit: AdmissionGate.Permit
    ) async throws(TexelError) -> LoadedInput {
        switch opened.content {
        case .small(let bytes, let readVersion)
        where isolation?.parsesHeader(of: bytes.prefix(CodecRegistry.headSize)) != true:
            return try loaded(bytes, readVersion, limits, stop, permit)
        case .small(let bytes, let readVersion):
            return try await WorkerPool.files.run(bytes: { 0 }, urgency: urgency, stop: stop) {
                () throws(TexelError) in try self.loaded(bytes, readVersion, limits, stop, permit)
            }
        case .read(let read):
            return try await WorkerPool.files.run(bytes: { 0 }, urgency: urgency, stop: stop) {
                () throws(TexelError) in
                let (bytes, readVersion) = try read()
                return try self.loaded(bytes, readVersion, limits, stop, permit)
            }
        case .arriving(let deliver):
            let arrival = try Arrival(opened, limits: limits)
            arrival.begin(deliver)
            do throws(TexelError) {
                let header = try await header(arrival, limits, urgency, stop)
                return LoadedInput(header, version: opened.version, arrival: arrival, permit: permit)
            } catch {
                if error.kind == .sourceFailed, let failure = arrival.failure { throw failure }
                throw error
            }
        }
    }

    private func loaded(
        _ bytes: InputBytes, _ readVersion: InputIdentity?, _ limits: Limits, _ stop: StopToken,
        _ permit: AdmissionGate.Permit
    ) throws(TexelError) -> LoadedInput {
        let header = Result { () throws(TexelError) in try self.header(bytes, limits, stop) }
        // A child process has its own copy of the bytes, so this is the last check of those that it received.
        if let failure = bytes.reloadableMemory.failure { throw failure }
        // Bytes that may still change have no version.
        let version = bytes.reloadableMemory == nil ? readVersion ?? (digestsBytes ? Self.name(bytes) : nil) : nil
        return LoadedInput(try header.get(), version: version, permit: permit)
    }

    /// Parses the header as soon as its bytes have arrived. If too many threads wait already, or a child process
    /// parses it, this happens after all bytes have arrived.
    private func header(
        _ arrival: Arrival, _ limits: Limits, _ urgency: Urgency, _ stop: StopToken
    ) async throws(TexelError) -> any ImageFile {
        if try await !isParsedElsewhere(arrival, urgency, stop) {
            let early = try await arrivals.runIfFree(bytes: { 0 }, urgency: urgency, stop: stop) {
                () throws(TexelError) in
                try CodecRegistry.shared.open(arriving: arrival.bytes, limits: limits, stop: stop)
            }
            if let early, isolation == nil || !early.info.format.capabilities.prefersIsolation {
                return early
            }
        }
        try await arrival.end()
        return try await WorkerPool.files.run(bytes: { 0 }, urgency: urgency, stop: stop) {
            () throws(TexelError) in try self.header(InputBytes(arrival.bytes), limits, stop)
        }
    }

    /// Whether a child process parses the header, as the first bytes tell.
    private func isParsedElsewhere(
        _ arrival: Arrival, _ urgency: Urgency, _ stop: StopToken
    ) async throws(TexelError) -> Bool {
        guard let isolation else { return false }
        if isolation.parsesHeaders { return true }
        let bytes = InputBytes(arrival.bytes)
        let count = CodecRegistry.headSize
        if bytes.countSoFar < count, bytes.wholeCount == nil {
            let hasWaited = try await arrivals.runIfFree(bytes: { 0 }, urgency: urgency, stop: stop) {
                () throws(TexelError) in
                try bytes.has(count, stop)
            }
            // Without a free thread the header is parsed after all bytes have arrived.
            if hasWaited == nil { return true }
        }
        return isolation.parsesHeader(of: bytes.rawBytes(0..<min(count, bytes.countSoFar)))
    }

    /// Parses the header of complete input bytes.
    private func header(
        _ bytes: InputBytes, _ limits: Limits, _ stop: StopToken
    ) throws(TexelError) -> any ImageFile {
        if let isolation, isolation.parsesHeader(of: bytes.prefix(CodecRegistry.headSize)) {
            return try isolation.open(bytes, limits, stop)
        }
        let source = try CodecRegistry.shared.open(bytes, limits: limits)
        return try isolation?.isolating(source) ?? source
    }
}
