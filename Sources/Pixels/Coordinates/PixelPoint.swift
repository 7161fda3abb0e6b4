/// A point of an image, in pixels from its top left corner; the centre of the first pixel is at (0.5, 0.5).
public struct PixelPoint: Sendable, Hashable, Codable {
    /// The distance from the left edge.
    public var x: Double
    /// The distance from the top edge.
    public var y: Double

    /// Creates a point. Any values are allowed, also outside of the image.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
