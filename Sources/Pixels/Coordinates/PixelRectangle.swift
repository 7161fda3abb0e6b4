/// A rectangle of whole pixels. The origin is the top left corner of the image; y grows downwards.
public struct PixelRectangle: Sendable, Hashable, Codable {
    /// The leftmost column.
    public var x: Int
    /// The topmost row.
    public var y: Int
    /// The size in pixels.
    public var size: PixelSize

    /// Creates a rectangle from its top left corner and its size, in pixels.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.size = PixelSize(width: width, height: height)
    }

    /// Creates the rectangle that covers an image of `size`.
    public init(covering size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// The width in pixels.
    public var width: Int { size.width }
    /// The height in pixels.
    public var height: Int { size.height }

    /// Returns whether the rectangle is not empty and entirely inside an image of `bounds`.
    public func isInside(_ bounds: PixelSize) -> Bool {
        size.isPositive && x >= 0 && y >= 0
            && x <= bounds.width && y <= bounds.height
            && width <= bounds.width - x && height <= bounds.height - y
    }

    /// The smallest rectangle that includes both.
    package func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}

extension PixelRectangle: CustomStringConvertible {
    public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
