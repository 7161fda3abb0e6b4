public import TexelPixels

/// One thing to do with a picture's pixels.
public enum PixelOperation: Sendable, Hashable, Codable {
    /// Keeps this rectangle of the displayed picture.
    case crop(PixelRectangle)
    case resize(ResizeOptions)
    case flip(FlipAxis)
    /// Turns clockwise by degrees; multiples of 90 are exact, others enlarge the canvas.
    case rotate(degrees: Double, filter: ResamplingFilter = .lanczos3)
    /// Shows the picture turned in space.
    case turn(Attitude, filter: ResamplingFilter = .lanczos3)
    /// Puts the picture on an opaque colour.
    case flatten(PixelColor)
}

/// The direction in which a flip exchanges the pixels.
public enum FlipAxis: String, Sendable, Hashable, Codable, CaseIterable {
    /// Left and right change places.
    case horizontal
    /// Top and bottom change places.
    case vertical

    var orientation: Orientation {
        switch self {
        case .horizontal: .flippedHorizontally
        case .vertical: .flippedVertically
        }
    }
}

/// To what size, and how.
public struct ResizeOptions: Sendable, Hashable, Codable {
    public var rule: ResizeRule
    public var filter: ResamplingFilter
    /// Whether light is mixed as light (sRGB's curve undone first), not as bytes.
    public var usesLinearLight: Bool

    public init(_ rule: ResizeRule, filter: ResamplingFilter = .lanczos3, usesLinearLight: Bool = false) {
        self.rule = rule
        self.filter = filter
        self.usesLinearLight = usesLinearLight
    }
}
