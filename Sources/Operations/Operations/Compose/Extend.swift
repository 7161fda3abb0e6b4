package import TexelCore
import TexelFilters
public import TexelPixels

extension PixelOperation {
    /// Adds pixels at the edges of the image.
    public static func extend(_ options: ExtendOptions) -> PixelOperation { PixelOperation(options) }

    /// Adds a border of one colour.
    ///
    /// - Parameters:
    ///   - width: the pixels that are added at each edge, 0…100,000; 0 changes nothing.
    ///   - color: does not show through transparent pixels of the image.
    public static func border(width: Int, color: PixelColor) -> PixelOperation {
        PixelOperation(ExtendOptions(top: width, left: width, bottom: width, right: width, fill: .color(color)))
    }
}

/// The pixels that are added at the edges of an image.
public struct ExtendOptions: Sendable, Hashable, Codable {
    /// The content of the added pixels. It does not show through transparent pixels of the image.
    public enum Fill: Sendable, Hashable, Codable {
        /// One colour.
        case color(PixelColor)
        /// The nearest pixel of the image.
        case edge
        /// The image, mirrored at its edges, as often as needed; the pixels at the edges occur twice.
        case mirror
        /// Copies of the image.
        case wrap
        /// The image, enlarged to cover the whole result, and blurred with this standard deviation in pixels of the
        /// result, 0…1000.
        case blurredBackground(sigma: Double)
    }

    /// The rows added above, 0…100,000.
    public var top: Int
    /// The columns added on the left, 0…100,000.
    public var left: Int
    /// The rows added below, 0…100,000.
    public var bottom: Int
    /// The columns added on the right, 0…100,000.
    public var right: Int
    /// The content of the added pixels.
    public var fill: Fill

    /// Makes the options of an extension.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0, fill: Fill) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
        self.fill = fill
    }
}

extension ExtendOptions: OperationDescription {
    package static let name = "extend"

    private static let sideLimit = 100_000

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        for (name, side) in [("top", top), ("left", left), ("bottom", bottom), ("right", right)] {
            guard (0...Self.sideLimit).contains(side) else {
                throw .invalidParameter(name, value: "\(side)", allowed: "from 0 to \(Self.sideLimit)")
            }
        }
        if case .blurredBackground(let sigma) = fill, !(sigma >= 0 && sigma <= GaussianBlur.largestSigma) {
            throw .invalidParameter(
                "sigma", value: "\(sigma)", allowed: "from 0 to \(Int(GaussianBlur.largestSigma))")
        }
        guard top > 0 || left > 0 || bottom > 0 || right > 0 else { return [] }
        let canvas = PixelSize(width: left + size.width + right, height: top + size.height + bottom)
        let place = PixelRectangle(x: left, y: top, width: size.width, height: size.height)
        return switch fill {
        case .color(let color): [PadStep(canvas: canvas, place: place, color: color)]
        case .edge: [RepeatStep(canvas: canvas, place: place, repetition: .edge)]
        case .mirror: [RepeatStep(canvas: canvas, place: place, repetition: .mirror)]
        case .wrap: [RepeatStep(canvas: canvas, place: place, repetition: .wrap)]
        case .blurredBackground(let sigma): [BlurredBackgroundStep(canvas: canvas, place: place, sigma: sigma)]
        }
    }
}
