/// A rectangle of whole pixels; the origin is the picture's top left corner, y grows downwards.
public struct PixelRectangle: Sendable, Hashable, Codable {
    public var x: Int
    public var y: Int
    public var size: PixelSize

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.size = PixelSize(width: width, height: height)
    }

    /// The rectangle that covers a picture of `size`.
    public init(covering size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    public var width: Int { size.width }
    public var height: Int { size.height }

    /// Whether the rectangle holds a pixel and lies wholly inside a picture of `bounds`.
    public func isInside(_ bounds: PixelSize) -> Bool {
        size.isPositive && x >= 0 && y >= 0
            && x <= bounds.width && y <= bounds.height
            && width <= bounds.width - x && height <= bounds.height - y
    }
}

extension PixelRectangle: CustomStringConvertible {
    public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}
