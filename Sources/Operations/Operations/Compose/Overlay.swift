package import TexelCore
public import TexelFilters
public import TexelPixels

extension PixelOperation {
    /// Lays another image over the image.
    public static func overlay(_ options: OverlayOptions) -> PixelOperation { PixelOperation(options) }
}

/// An overlay on an image: its pixels, place, size and blending.
public struct OverlayOptions: Sendable, Hashable, Codable {
    /// The size at which the overlay is drawn.
    public enum Scale: Sendable, Hashable, Codable {
        /// Its own size.
        case original
        /// A fraction of the image's width, more than 0 and at most 10; the height keeps the aspect ratio.
        case fractionOfWidth(Double)
        /// A fraction of the image's height, more than 0 and at most 10; the width keeps the aspect ratio.
        case fractionOfHeight(Double)
    }

    /// The image that is laid over.
    public var image: OverlayImage
    /// The edge, corner or centre at which it is placed. Parts outside of the image are clipped.
    public var gravity: Gravity
    /// The distance from the left or right edge in pixels, inwards; without such an edge, to the right.
    public var offsetX: Int
    /// The distance from the upper or lower edge in pixels, inwards; without such an edge, downwards.
    public var offsetY: Int
    /// A factor of the overlay's alpha, 0…1. 0 changes nothing.
    public var opacity: Double
    /// How colours are mixed.
    public var blendMode: BlendMode
    /// The size at which the overlay is drawn; it is resized with the filter `lanczos3`.
    public var scale: Scale
    /// The pixels between copies that cover the whole image, in both directions; `nil` for one copy. The position of
    /// the single copy is that of one of the many.
    public var tileSpacing: Int?
    /// Whether the overlay is resized and colours are mixed as light (with sRGB's transfer curve undone first) instead
    /// of as stored.
    public var usesLinearLight: Bool

    /// Makes the options of an overlay.
    public init(
        _ image: OverlayImage, gravity: Gravity = .center, offsetX: Int = 0, offsetY: Int = 0, opacity: Double = 1,
        blendMode: BlendMode = .normal, scale: Scale = .original, tileSpacing: Int? = nil, usesLinearLight: Bool = false
    ) {
        self.image = image
        self.gravity = gravity
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.opacity = opacity
        self.blendMode = blendMode
        self.scale = scale
        self.tileSpacing = tileSpacing
        self.usesLinearLight = usesLinearLight
    }
}

extension OverlayOptions: OperationDescription {
    package static let name = "overlay"

    package var warnings: [String] { image.warnings }

    /// The largest offset and spacing in pixels, and the largest fraction of the image's side.
    private static let offsetLimit = 1_000_000, fractionLimit = 10.0

    /// The most pixels of a resized overlay, parts outside of the image included: 1 GB.
    private static let scaledPixelLimit = 268_435_456.0

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard opacity >= 0, opacity <= 1 else {
            throw .invalidParameter("opacity", value: "\(opacity)", allowed: "from 0 to 1")
        }
        for (name, offset) in [("offsetX", offsetX), ("offsetY", offsetY)] {
            guard (-Self.offsetLimit...Self.offsetLimit).contains(offset) else {
                throw .invalidParameter(
                    name, value: "\(offset)", allowed: "from -\(Self.offsetLimit) to \(Self.offsetLimit)")
            }
        }
        if let tileSpacing, !(0...Self.offsetLimit).contains(tileSpacing) {
            throw .invalidParameter(
                "tileSpacing", value: "\(tileSpacing)", allowed: "from 0 to \(Self.offsetLimit)")
        }
        let scaled = try scaledSize(for: size)
        let place = gravity.rectangle(of: scaled, in: size, offset: (offsetX, offsetY))
        let isVisible =
            tileSpacing != nil
            || place.x < size.width && place.y < size.height && place.x + place.width > 0 && place.y + place.height > 0
        guard opacity > 0, isVisible, !image.isTransparent else { return [] }
        return [OverlayStep(self, at: place)]
    }

    /// The size of the overlay over an image of one size.
    private func scaledSize(for size: PixelSize) throws(TexelError) -> PixelSize {
        let (fraction, side, own) =
            switch scale {
            case .original: (0.0, 0, 0)
            case .fractionOfWidth(let fraction): (fraction, size.width, image.size.width)
            case .fractionOfHeight(let fraction): (fraction, size.height, image.size.height)
            }
        if scale == .original { return image.size }
        guard fraction > 0, fraction <= Self.fractionLimit else {
            throw .invalidParameter(
                "scale", value: "\(fraction)", allowed: "more than 0 and at most \(Int(Self.fractionLimit))")
        }
        let factor = Double(side) * fraction / Double(own)
        let width = max(1, (Double(image.size.width) * factor).rounded())
        let height = max(1, (Double(image.size.height) * factor).rounded())
        guard width * height <= Self.scaledPixelLimit else { throw .resultTooLarge }
        return PixelSize(width: Int(width), height: Int(height))
    }
}
