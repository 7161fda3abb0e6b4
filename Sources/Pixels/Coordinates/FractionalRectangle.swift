/// A rectangle whose edges may be between pixels; pixel (0, 0) covers 0…1 on both axes.
public struct FractionalRectangle: Sendable, Hashable {
    /// The left edge, in pixels from the left of the image.
    public var x: Double
    /// The top edge, in pixels from the top of the image.
    public var y: Double
    /// The width in pixels.
    public var width: Double
    /// The height in pixels.
    public var height: Double

    /// Creates a rectangle from its top left corner and its size, in pixels.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates the rectangle that covers an image of `size`.
    public init(covering size: PixelSize) {
        self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }
}
