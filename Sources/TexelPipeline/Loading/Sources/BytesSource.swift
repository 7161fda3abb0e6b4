import Synchronization
public import TexelCodecs

/// The bytes of a file that are in memory already.
public struct BytesSource: ByteSource {
    public let name: String
    public let identity: InputIdentity
    private let bytes: InputBytes

    /// - Parameters:
    ///   - bytes: copied once.
    ///   - identity: what tells them from others, where the caller knows it. Without one they are not held against
    ///     others: the same source asked for twice is done once, equal bytes in two sources are done twice.
    public init(_ bytes: some Collection<UInt8>, name: String = "bytes", identity: InputIdentity? = nil) {
        self.name = name
        self.bytes = InputBytes(bytes)
        self.identity = identity ?? .unique(name)
        hasKnownIdentity = identity != nil
    }

    private let hasKnownIdentity: Bool
    public var isLocal: Bool { true }

    public func open(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        let version = hasKnownIdentity ? identity : nil
        if bytes.count <= OpenedBytes.smallCount { return OpenedBytes(version: version, small: bytes) }
        return OpenedBytes(version: version, count: bytes.count) { bytes }
    }
}

extension InputIdentity {
    private static let counter = Atomic(0)

    /// One that no other input has in this process.
    static func unique(_ name: String) -> InputIdentity {
        InputIdentity("\(name)#\(counter.wrappingAdd(1, ordering: .relaxed).newValue)")
    }
}
