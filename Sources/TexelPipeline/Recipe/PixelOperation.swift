public import TexelPixels

/// An operation on an image's pixels.
public enum PixelOperation: Sendable, Hashable, Codable {
    /// Keeps this rectangle of the displayed image, in pixels.
    case crop(PixelRectangle)
    /// Scales the image.
    case resize(ResizeOptions)
    /// Mirrors the image.
    case flip(FlipAxis)
    /// Rotates clockwise by degrees; multiples of 90 are exact, other angles enlarge the canvas.
    case rotate(degrees: Double, filter: ResamplingFilter = .lanczos3)
    /// Turns the image in space and shows it in perspective.
    case turn(Attitude, filter: ResamplingFilter = .lanczos3)
    /// Composes the image over an opaque colour.
    case flatten(PixelColor)
}

/// The axis along which a flip exchanges pixels.
public enum FlipAxis: String, Sendable, Hashable, Codable, CaseIterable {
    /// Left and right are exchanged.
    case horizontal
    /// Top and bottom are exchanged.
    case vertical

    var orientation: Orientation {
        switch self {
        case .horizontal: .flippedHorizontally
        case .vertical: .flippedVertically
        }
    }
}

/// The target size of a resize, and how it is computed.
public struct ResizeOptions: Sendable, Hashable, Codable {
    /// How the target size follows from the image's.
    public var rule: ResizeRule
    /// The resampling filter.
    public var filter: ResamplingFilter
    /// Whether samples are filtered in linear light (with sRGB's transfer curve undone first) instead of as stored.
    public var usesLinearLight: Bool

    /// Makes the options of a resize.
    public init(_ rule: ResizeRule, filter: ResamplingFilter = .lanczos3, usesLinearLight: Bool = false) {
        self.rule = rule
        self.filter = filter
        self.usesLinearLight = usesLinearLight
    }
}
