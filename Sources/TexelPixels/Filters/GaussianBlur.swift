/// A Gaussian blur with edges repeated: one of a small standard deviation weights all samples of a window, one of a large
/// standard deviation works on a reduced image, so that its cost does not grow.
///
/// The result differs by at most one from that of a complete window in floating point.
package struct GaussianBlur: Sendable {
    /// The largest standard deviation, in pixels.
    package static let largestSigma = 1000.0

    private enum Method {
        case window(GaussianWeights)
        case reduced(ReducedBlurPlan)
    }

    private let method: Method

    /// Computes the weights.
    ///
    /// - Parameter sigma: the standard deviation in pixels, 0…``largestSigma``.
    /// - Returns: `nil` if it is so small that no pixel would change.
    package init?(sigma: Double) {
        precondition(sigma >= 0 && sigma <= Self.largestSigma, "the standard deviation is \(sigma)")
        if sigma > ReducedBlurPlan.smallestSigma {
            method = .reduced(ReducedBlurPlan(sigma: sigma))
        } else {
            guard sigma > 0, let weights = GaussianWeights(sigma: sigma) else { return nil }
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
    func makeRowBlur(for source: RasterShape) throws(PixelBufferError) -> any RowBlur {
        switch method {
        case .window(let weights): try WindowBlur(weights, for: source)
        case .reduced(let plan): try ReducedBlur(plan, for: source)
        }
    }
}
