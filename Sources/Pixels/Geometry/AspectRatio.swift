/// The ratio of an image's width to its height, as two whole numbers.
public struct AspectRatio: Sendable, Hashable, Codable {
    /// The width, as a multiple of the same unit as the height.
    public var width: Int
    /// The height.
    public var height: Int

    /// The largest number of units.
    package static let largestSide = 100_000

    /// Creates a ratio, such as 16 to 9.
    public init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether both sides are at least one unit, and not too many.
    package var isValid: Bool { (1...Self.largestSide).contains(width) && (1...Self.largestSide).contains(height) }

    /// Returns the largest rectangle of this ratio in an image: one side is the image's, the other one is rounded to
    /// the nearest number of pixels, at least one. The ratio must be valid.
    package func largestSize(in image: PixelSize) -> PixelSize {
        func scaled(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
            max(1, Int((Int128(side) * Int128(numerator) * 2 + Int128(denominator)) / (2 * Int128(denominator))))
        }
        if Int128(image.width) * Int128(height) >= Int128(image.height) * Int128(width) {
            return PixelSize(width: min(image.width, scaled(image.height, width, height)), height: image.height)
        }
        return PixelSize(width: image.width, height: min(image.height, scaled(image.width, height, width)))
    }
}

extension AspectRatio: CustomStringConvertible {
    public var description: String { "\(width):\(height)" }
}
