public import TexelCodecs

/// Where the bytes of an encoded picture come from: a file, memory, a stream, an address.
public protocol ByteSource: Sendable {
    /// What people call these bytes: a path, an address.
    var name: String { get }
    /// Sources of equal identity are opened once for all who want them at the same time.
    var identity: InputIdentity { get }
    /// Whether the bytes are on this machine, so that opening them costs next to nothing.
    var isLocal: Bool { get }
    /// Finds out which version of the bytes there is, and makes them ready to flow.
    ///
    /// - Throws: any error. Requests throw one that is not an error of Texel as ``PipelineError/source(_:)``.
    func open(limits: Limits) async throws -> OpenedBytes
}

extension ByteSource {
    public var isLocal: Bool { false }

    /// ``open(limits:)`` with an error of Texel.
    func opened(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        do { return try await open(limits: limits) } catch { throw PipelineError(thrownBySource: error) }
    }
}

/// What tells one input from all others. Caches that outlive the process use it as well.
public struct InputIdentity: Sendable, Hashable {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// Bytes that are known to be there, and have not been read yet.
public struct OpenedBytes: Sendable {
    /// Names this version of the bytes: results are kept in caches under it. `nil` where nothing tells one version from
    /// the next, so that the bytes themselves must.
    public let version: InputIdentity?
    /// How many there are, where that is known.
    public let count: Int?
    let content: Content

    /// Up to so many bytes are read as soon as they are looked for: handing that over to another thread takes longer.
    static let smallCount = 64 * 1024

    enum Content: Sendable {
        /// A few bytes, with the version that they are.
        case small(InputBytes, version: InputIdentity?)
        /// With the version that was read in truth.
        case read(@Sendable () throws(PipelineError) -> (bytes: InputBytes, version: InputIdentity?))
        case arriving(@Sendable (ArrivingBytes) async throws(PipelineError) -> Void)
    }

    /// Bytes that arrive in pieces.
    ///
    /// - Parameter deliver: delivers them all, in their order; called at most once, and cancelled with its task. Requests
    ///   throw what it throws, as with ``ByteSource/open(limits:)``.
    public init(
        version: InputIdentity?, count: Int?, deliver: @escaping @Sendable (ArrivingBytes) async throws -> Void
    ) {
        self.version = version
        self.count = count
        content = .arriving { bytes async throws(PipelineError) in
            do { try await deliver(bytes) } catch { throw PipelineError(thrownBySource: error) }
        }
    }

    /// Bytes that are read at once.
    ///
    /// - Parameter read: may block; runs on a thread for that. Requests throw what it throws, as with
    ///   ``ByteSource/open(limits:)``.
    public init(version: InputIdentity?, count: Int?, read: @escaping @Sendable () throws -> InputBytes) {
        self.version = version
        self.count = count
        content = .read { () throws(PipelineError) in
            do { return (try read(), version) } catch { throw PipelineError(thrownBySource: error) }
        }
    }

    /// Bytes that may become others before they are read.
    ///
    /// - Parameter read: may block, as above; also returns the version of what it has read, `nil` where nobody knows.
    init(
        version: InputIdentity?, count: Int?,
        reading read: @escaping @Sendable () throws(PipelineError) -> (bytes: InputBytes, version: InputIdentity?)
    ) {
        self.version = version
        self.count = count
        content = .read(read)
    }

    /// At most ``smallCount`` bytes that are there.
    init(version: InputIdentity?, small bytes: InputBytes) {
        self.version = version
        count = bytes.count
        content = .small(bytes, version: version)
    }
}
