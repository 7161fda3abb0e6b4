import TexelPixels

/// The errors of SSIMULACRA2 at one pixel, from blurred values of both images.
enum SSIMULACRA2Error {
    /// The structural error.
    ///
    /// - Parameters:
    ///   - means: the blurred samples.
    ///   - squares: the blurred squares of the samples.
    ///   - product: the blurred product of both images' samples.
    static func structure(means: (Float, Float), squares: (Float, Float), product: Float) -> Float {
        let difference = means.0 - means.1
        let covariance = 2 * (product - means.0 * means.1) + 0.0009
        let variances = ((squares.0 - means.0 * means.0) + (squares.1 - means.1 * means.1)) + 0.0009
        return 1 - (1 - difference * difference) * covariance / variances
    }

    /// How much stronger an edge is in the second image than in the first, as a ratio minus 1.
    static func edge(_ first: Float, mean firstMean: Float, _ second: Float, mean secondMean: Float) -> Float {
        (1 + abs(second - secondMean)) / (1 + abs(first - firstMean)) - 1
    }
}
