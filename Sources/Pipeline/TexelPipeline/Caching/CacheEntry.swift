public import TexelCodecs

/// A value of a ``DiskCache``.
public struct CacheEntry: Sendable {
    /// A description of the content by the code that stores it.
    public var metadata: [UInt8]
    /// The content itself.
    public var content: InputBytes

    /// Makes an entry.
    public init(metadata: [UInt8], content: InputBytes) {
        self.metadata = metadata
        self.content = content
    }
}
