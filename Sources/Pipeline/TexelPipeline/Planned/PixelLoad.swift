package import TexelOperations
package import TexelPixels

/// The work while rows are decoded. Coordinates are the stored image's, before shrinking.
package enum PixelLoad: Sendable, Hashable {
    /// Decodes the image and keeps this rectangle.
    case decode(PixelRectangle)
    /// Passes the rows of a rectangle through the filter.
    case resample(Resampling)

    /// The size of the result.
    var size: PixelSize {
        switch self {
        case .decode(let rectangle): rectangle.size
        case .resample(let resampling): resampling.target
        }
    }

    var isResampling: Bool {
        if case .resample = self { true } else { false }
    }

    /// The load as steps on an image of this size in memory; none if it is the image.
    package func steps(for size: PixelSize) -> [any RowStep] {
        switch self {
        case .decode(let rectangle): rectangle == PixelRectangle(covering: size) ? [] : [CropStep(rectangle)]
        case .resample(let resampling):
            PixelLoad.decode(resampling.bounds).steps(for: size) + [ResizeStep(resampling)]
        }
    }

    /// The factor by which the filter must still shrink. The reduced DCT cuts off frequencies sharply; a filter that
    /// shrinks at least twofold hides this (libvips uses the same factor).
    private static let factorAfterDecoder = 2.0

    /// Computes how much of a resize a decoder may do, such as by decoding fewer DCT coefficients.
    ///
    /// - Parameters:
    ///   - stored: the size of the image as stored.
    ///   - scales: the factors by which the decoder can divide both sides.
    /// - Returns: the largest of them that leaves the filter at least ``factorAfterDecoder``; 1 if there is none.
    func shrink(of stored: PixelSize, among scales: [Int]) -> Int {
        // The DCT averages gamma-encoded samples, not linear light, and `nearest` promises pixels of the source.
        guard case .resample(let resampling) = self, !resampling.usesLinearLight, resampling.filter != .nearest else {
            return 1
        }
        // The edges of a crop need not fall on edges of shrunk pixels; those of the whole image always do.
        guard resampling.bounds == PixelRectangle(covering: stored) else { return 1 }
        let factor = min(
            resampling.sampled.width / Double(resampling.target.width),
            resampling.sampled.height / Double(resampling.target.height))
        return scales.filter { factor / Double($0) >= Self.factorAfterDecoder }.max() ?? 1
    }

    /// Describes the load in a few lines, for `--explain`.
    ///
    /// - Parameter shrink: the factor by which the decoder divides both sides.
    func explanation(shrink: Int) -> [String] {
        switch self {
        case .decode: ["load: all pixels"]
        case .resample(let resampling):
            [
                "load: decode scale 1/\(shrink)",
                "resize: \(resampling.bounds) → \(resampling.target), \(resampling.summary(shrink: shrink))",
            ]
        }
    }
}
