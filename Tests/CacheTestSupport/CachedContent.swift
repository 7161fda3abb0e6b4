public import TexelOperations

/// Contents that several processes keep and know again.
public enum CachedContent {
    /// A name for each number.
    public static func digest(_ index: Int) -> ContentDigest { ContentDigest(of: "entry \(index)".utf8) }

    /// The bytes that are kept under it: up to ``largest`` bytes, all alike, so that a mixture would show.
    public static func bytes(_ index: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: (index &* 7919 & 0xFFFF) % (largest - 200))
    }

    /// Of one entry's file.
    public static let largest = 16_384
}
