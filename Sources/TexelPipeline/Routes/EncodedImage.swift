public import TexelCodecs
public import TexelPixels

/// The result of a recipe, as the bytes of a file.
public struct EncodedImage: Sendable, Codable {
    public var bytes: [UInt8]
    public var size: PixelSize
    public var format: ImageFormat
    public var route: Route
    /// Whether the input's own pixel data were kept, because encoding them anew would have made them larger.
    public var isKept: Bool
    /// The SSIMULACRA2 score against the picture that was encoded, where one was asked for.
    public var score: Double?
    /// What a search for an ``EncodingTarget`` chose, in a few words.
    public var searchSummary: String?
    /// What was let pass, each in one sentence.
    public var warnings: [String]
}
