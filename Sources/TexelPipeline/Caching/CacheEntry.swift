public import TexelCodecs

/// What a ``DiskCache`` keeps under one key.
public struct CacheEntry: Sendable {
    /// What its owner notes of the content.
    public var metadata: [UInt8]
    public var content: InputBytes

    public init(metadata: [UInt8], content: InputBytes) {
        self.metadata = metadata
        self.content = content
    }
}
