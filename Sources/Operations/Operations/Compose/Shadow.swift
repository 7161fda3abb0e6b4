package import TexelCore
import TexelFilters
public import TexelPixels

extension PixelOperation {
    /// Draws a drop shadow below the image.
    public static func shadow(_ options: ShadowOptions) -> PixelOperation { PixelOperation(options) }
}

/// A drop shadow, as CSS's filter `drop-shadow` draws it.
public struct ShadowOptions: Sendable, Hashable, Codable {
    /// The standard deviation of the blur in pixels, 0…1000: half of the blur radius of CSS.
    public var sigma: Double
    /// How far the shadow is moved to the right, in pixels.
    public var offsetX: Int
    /// How far the shadow is moved downwards, in pixels.
    public var offsetY: Int
    /// The colour of the shadow.
    public var color: PixelColor
    /// A factor of the colour's alpha, 0…1. 0 changes nothing.
    public var opacity: Double
    /// Whether the image keeps its size, so that parts of the shadow may be cut off. Otherwise it grows by what the
    /// shadow needs: three standard deviations beyond its edges.
    public var keepsSize: Bool

    /// Makes the options of a shadow.
    public init(
        sigma: Double, offsetX: Int = 0, offsetY: Int = 0, color: PixelColor = .black, opacity: Double = 1,
        keepsSize: Bool = false
    ) {
        self.sigma = sigma
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.color = color
        self.opacity = opacity
        self.keepsSize = keepsSize
    }
}

extension ShadowOptions: OperationDescription {
    package static let name = "shadow"

    private static let offsetLimit = 100_000

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard sigma >= 0, sigma <= GaussianBlur.largestSigma else {
            throw .invalidParameter("sigma", value: "\(sigma)", allowed: "from 0 to \(Int(GaussianBlur.largestSigma))")
        }
        guard opacity >= 0, opacity <= 1 else {
            throw .invalidParameter("opacity", value: "\(opacity)", allowed: "from 0 to 1")
        }
        for (name, offset) in [("offsetX", offsetX), ("offsetY", offsetY)] {
            guard (-Self.offsetLimit...Self.offsetLimit).contains(offset) else {
                throw .invalidParameter(
                    name, value: "\(offset)", allowed: "from -\(Self.offsetLimit) to \(Self.offsetLimit)")
            }
        }
        guard opacity > 0, color.alpha > 0 else { return [] }
        let shadow = DropShadow(
            of: size, sigma: sigma, offset: (offsetX, offsetY), color: color, opacity: opacity, keepsSize: keepsSize)
        return [ShadowStep(shadow: shadow, sigma: sigma)]
    }
}

/// Draws a drop shadow below the image.
package struct ShadowStep: RowStep {
    let shadow: DropShadow
    let sigma: Double

    package var summary: String { "drop shadow, sigma \(sigma)" }

    package var mixesPixels: Bool { true }

    package func outputSize(of source: PixelSize) -> PixelSize { shadow.canvas }

    package func alphaMode(of source: AlphaMode) -> AlphaMode { source == .opaque ? .straight : source }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { shadow.sourceRows(for: rows) }

    /// An opaque image hides the shadow, unless there is room around it.
    package func changesNothing(_ source: AlphaMode) -> Bool {
        source == .opaque && shadow.canvas == shadow.place.size
    }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        guard shadow.place.size == source.size else { throw .sizesDiffer(shadow.place.size, source.size) }
        return Pass(try DropShadowFilter(shadow, alphaMode: source.alphaMode))
    }

    private final class Pass: StepPass {
        private let filter: DropShadowFilter

        init(_ filter: DropShadowFilter) { self.filter = filter }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            filter.run(rows: rows, from: source, to: destination)
        }
    }
}
