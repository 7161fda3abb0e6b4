package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Rounds the corners of the image: what is outside of them becomes transparent.
    public static func round(_ radius: CornerRadius) -> PixelOperation { PixelOperation(RoundOperation(radius)) }

    /// Keeps the largest circle in the middle of the image; the rest becomes transparent.
    public static let circle = PixelOperation(CircleOperation())
}

/// The radius of the corners of an image.
public enum CornerRadius: Sendable, Hashable, Codable {
    /// Pixels, at least 0. A radius of more than half the shorter side counts as half of it.
    case pixels(Double)
    /// A fraction of the shorter side, from 0 to 0.5.
    case fractionOfShorterSide(Double)
}

/// Rounds the corners of the image.
package struct RoundOperation: OperationDescription {
    package static let name = "round"

    package let radius: CornerRadius

    init(_ radius: CornerRadius) { self.radius = radius }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        let pixels: Double
        switch radius {
        case .pixels(let radius):
            guard radius >= 0, radius.isFinite else {
                throw .invalidParameter("radius", value: "\(radius)", allowed: "at least 0")
            }
            pixels = radius
        case .fractionOfShorterSide(let fraction):
            guard fraction >= 0, fraction <= 0.5 else {
                throw .invalidParameter("radius", value: "\(fraction)", allowed: "from 0 to 0.5 of the shorter side")
            }
            pixels = fraction * Double(min(size.width, size.height))
        }
        return pixels == 0 ? [] : [RoundStep(shape: .corners(radius: pixels))]
    }
}

/// Keeps the largest circle in the middle of the image.
package struct CircleOperation: OperationDescription {
    package static let name = "circle"

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        [RoundStep(shape: .circle)]
    }
}

/// Makes what is outside of a rounded shape transparent, in place.
package struct RoundStep: RowStep {
    enum Shape: Sendable {
        case corners(radius: Double)
        case circle
    }

    let shape: Shape

    package var summary: String {
        switch shape {
        case .corners(let radius): "round corners, radius \(radius)"
        case .circle: "keep a circle"
        }
    }

    package var runsInPlace: Bool { true }

    package func alphaMode(of source: AlphaMode) -> AlphaMode { source == .opaque ? .straight : source }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        switch shape {
        case .corners(let radius): Pass(RoundedMask(source.size, radius: radius))
        case .circle: Pass(RoundedMask(circleIn: source.size))
        }
    }

    private final class Pass: StepPass {
        private let mask: RoundedMask

        init(_ mask: RoundedMask) { self.mask = mask }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            if source.base != destination.base { destination.copyRows(rows, from: source) }
            for y in rows {
                mask.apply(
                    toRow: y, destination.pixels(y), isPremultiplied: source.alphaMode == .premultiplied)
            }
        }
    }
}
