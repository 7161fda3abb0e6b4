import TexelCore
package import TexelPixels

/// A Gaussian blur with edges repeated: one of a small standard deviation weights all samples of a window, one of a
/// large standard deviation works on a reduced image, so that its cost does not grow.
///
/// The result differs by at most one from that of a complete window in floating point.
package struct GaussianBlur: Sendable {
    /// The largest standard deviation, in pixels.
    package static let largestSigma = 1000.0

    private enum Method {
        case window(GaussianWeights)
        case reduced(ReducedBlurPlan)
    }

    /// Whether light is blurred (with sRGB's transfer curve undone first) instead of stored values.
    let usesLinearLight: Bool
    private let method: Method

    /// Computes the weights.
    ///
    /// - Parameters:
    ///   - sigma: the standard deviation in pixels, 0…``largestSigma``.
    ///   - usesLinearLight: whether light is blurred instead of stored values.
    /// - Returns: `nil` if it is so small that no pixel would change.
    package init?(sigma: Double, usesLinearLight: Bool = false) {
        precondition(sigma >= 0 && sigma <= Self.largestSigma, "the standard deviation is \(sigma)")
        self.usesLinearLight = usesLinearLight
        let precision: BlurPrecision = usesLinearLight ? .light : .stored
        if sigma > precision.smallestReducedSigma {
            method = .reduced(ReducedBlurPlan(sigma: sigma, precision))
        } else {
            guard sigma > 0, let weights = GaussianWeights(sigma: sigma, tail: precision.tail) else { return nil }
            method = .window(weights)
        }
    }

    /// The rows of the source on which rows of the result depend.
    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
        let needed =
            switch method {
            case .window(let weights): (rows.lowerBound - weights.radius)..<(rows.upperBound + weights.radius)
            case .reduced(let plan): plan.sourceRows(for: rows)
            }
        return needed.clamped(to: 0..<source.height)
    }

    /// Allocates the memory for images of one shape.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    func makeRowBlur(for source: RasterShape) throws(TexelError) -> any RowBlur {
        switch method {
        case .window(let weights):
            usesLinearLight ? try LightWindowBlur(weights, for: source) : try WindowBlur(weights, for: source)
        case .reduced(let plan): try ReducedBlur(plan, for: source, usesLinearLight: usesLinearLight)
        }
    }
}

/// How small the errors of a blur must be. In dark areas a step of eight bits is only 1/3295 of white's light, so a
/// blur of light has to be more exact than one of stored values.
struct BlurPrecision: Sendable {
    static let stored = BlurPrecision(tail: 1.0 / 2048, reducedSigma: 2, smallestReducedSigma: 4)
    static let light = BlurPrecision(tail: 1.0 / 16384, reducedSigma: 3, smallestReducedSigma: 6)

    /// The part of a window's weights that may be cut off.
    let tail: Double
    /// The smallest standard deviation on a reduced image, in its pixels.
    let reducedSigma: Double
    /// Above this standard deviation, in pixels, a reduced image is used.
    let smallestReducedSigma: Double
}
