public import TexelCodecs

/// Where the bytes of an encoded picture come from: a file, memory, a stream, an address.
public protocol ByteSource: Sendable {
    /// What people call these bytes: a path, an address.
    var name: String { get }
    /// Sources of equal identity are opened once for all who want them at the same time.
    var identity: InputIdentity { get }
    /// Finds out which version of the bytes there is, and makes them ready to flow.
    ///
    /// - Throws: `PipelineError`.
    func open(limits: Limits) async throws(PipelineError) -> OpenedBytes
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
    public var version: InputIdentity?
    /// How many there are, where that is known.
    public var count: Int?
    /// Delivers them all, in their order; called at most once, and cancelled with its task.
    public var deliver: @Sendable (ArrivingBytes) async throws(PipelineError) -> Void

    public init(
        version: InputIdentity?, count: Int?,
        deliver: @escaping @Sendable (ArrivingBytes) async throws(PipelineError) -> Void
    ) {
        self.version = version
        self.count = count
        self.deliver = deliver
    }
}
