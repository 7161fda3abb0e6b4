public import TexelCodecs
public import TexelPixels

/// The result of a recipe, as the bytes of a file.
public struct EncodedImage: Sendable, Codable {
    /// The bytes of the file.
    public var bytes: [UInt8]
    /// The size of the image in pixels.
    public var size: PixelSize
    /// The format of the file.
    public var format: ImageFormat
    /// The way the image was processed.
    public var route: Route
    /// Whether the input's own pixel data were kept because encoding them again would have made the file larger.
    public var isKept: Bool
    /// The score against the image before encoding, by the metric of the recipe's target; `nil` unless one was requested.
    public var score: Double?
    /// What the search for an ``EncodingTarget`` chose, in a few words.
    public var searchSummary: String?
    /// What was tolerated, one sentence each.
    public var warnings: [String]
}
