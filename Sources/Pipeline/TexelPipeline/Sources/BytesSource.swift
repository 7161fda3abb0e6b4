import Synchronization
public import TexelCodecs
public import TexelCore

/// The bytes of an encoded image in memory.
public struct BytesSource: ByteSource {
    public let name: String
    public let identity: InputIdentity
    private let bytes: InputBytes

    /// Makes a source by copying bytes.
    ///
    /// - Parameters:
    ///   - bytes: copied once.
    ///   - name: the name in messages.
    ///   - identity: distinguishes these bytes from others, if the caller knows it. Without it, requests share work
    ///     only if they use the same source; equal bytes in two sources are processed twice.
    public init(_ bytes: some Collection<UInt8>, name: String = "bytes", identity: InputIdentity? = nil) {
        self.name = name
        self.bytes = InputBytes(bytes)
        self.identity = identity ?? .unique(name)
        hasKnownIdentity = identity != nil
    }

    private let hasKnownIdentity: Bool
    public var isLocal: Bool { true }

    public func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
        let version = hasKnownIdentity ? identity : nil
        if bytes.count <= OpenedBytes.smallCount { return OpenedBytes(version: version, small: bytes) }
        return OpenedBytes(version: version, count: bytes.count) { bytes }
    }
}

extension InputIdentity {
    private static let counter = Atomic(0)

    /// Makes an identity that no other input in this process has.
    static func unique(_ name: String) -> InputIdentity {
        InputIdentity("\(name)#\(counter.wrappingAdd(1, ordering: .relaxed).newValue)")
    }
}
