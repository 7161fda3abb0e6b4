public import TexelCodecs
public import TexelPixels

/// The result of a recipe, as the bytes of a file.
public struct EncodedImage: Sendable, Codable {
    /// The bytes of the file.
    public var bytes: [UInt8] {
        get { content.inMemory }
        set { content = .memory(newValue) }
    }
    /// The bytes of the file, which may be in the file of the result already.
    package var content: EncodedBytes
    /// The size of the image in pixels.
    public var size: PixelSize
    /// The format of the file.
    public var format: ImageFormat
    /// The way the image was processed.
    public var route: Route
    /// Whether the input's own pixel data were kept because encoding them again would have made the file larger.
    public var isKept: Bool
    /// The score against the image before encoding, by the metric of the recipe's target; `nil` unless one was
    /// requested.
    public var score: Double?
    /// The choice of the search for an ``EncodingTarget``, in a few words.
    public var searchSummary: String?
    /// The tolerated faults, one sentence each.
    public var warnings: [String]

    private enum CodingKeys: String, CodingKey {
        case content = "bytes"
        case size, format, route, isKept, score, searchSummary, warnings
    }

    /// The number of bytes of the file.
    package var byteCount: Int { content.count }

    init(
        _ content: EncodedBytes, size: PixelSize, format: ImageFormat, route: Route, isKept: Bool,
        score: Double? = nil, searchSummary: String? = nil, warnings: [String]
    ) {
        self.content = content
        self.size = size
        self.format = format
        self.route = route
        self.isKept = isKept
        self.score = score
        self.searchSummary = searchSummary
        self.warnings = warnings
    }
}
