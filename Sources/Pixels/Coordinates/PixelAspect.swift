/// The shape of the pixels of a video: the ratio of their width to their height.
public struct PixelAspect: Sendable, Hashable, Codable {
    /// The width of a pixel, in units of ``vertical``.
    public let horizontal: Int
    /// The height of a pixel.
    public let vertical: Int

    /// Pixels as wide as high.
    public static let square = PixelAspect()

    private init() { (horizontal, vertical) = (1, 1) }

    /// Returns `nil` unless both terms are positive and the ratio is from 1:16 to 16:1; others are damaged headers.
    public init?(horizontal: Int, vertical: Int) {
        guard (1...Int(Int32.max)).contains(horizontal), (1...Int(Int32.max)).contains(vertical),
            horizontal <= 16 * vertical, vertical <= 16 * horizontal
        else { return nil }
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let terms = try container.decode([Int].self)
        guard terms.count == 2, let aspect = PixelAspect(horizontal: terms[0], vertical: terms[1]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid ratio")
        }
        self = aspect
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([horizontal, vertical])
    }

    /// Returns the size at which an image is shown with square pixels: as many rows, wider or narrower.
    public func applied(to size: PixelSize) -> PixelSize {
        guard horizontal != vertical else { return size }
        let width = (Double(size.width) * Double(horizontal) / Double(vertical)).rounded()
        return PixelSize(width: max(1, Int(min(width, Double(Int32.max)))), height: size.height)
    }
}

extension PixelAspect: CustomStringConvertible {
    public var description: String { "\(horizontal):\(vertical)" }
}
