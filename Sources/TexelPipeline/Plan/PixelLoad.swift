package import TexelPixels

/// What is done while rows are decoded. Coordinates are the stored image's, before shrinking.
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

/// A resize of a part of an image.
package struct Resampling: Sendable, Hashable {
    /// The pixels that the filter may read.
    package var bounds: PixelRectangle
    /// The part of them that is sampled, relative to the origin of `bounds`.
    package var sampled: FractionalRectangle
    /// The size of the result in pixels.
    package var target: PixelSize
    package var filter: ResamplingFilter
    package var usesLinearLight: Bool
    /// The order of the two passes, in the stored image.
    package var order: PassOrder

    /// The filter, and how many source pixels it reads horizontally and vertically.
    fileprivate func summary(shrink: Int) -> String {
        func taps(_ source: Double, _ target: Int) -> Int {
            let scale = source / Double(shrink) / Double(target)
            return scale == 1 || filter == .nearest ? 1 : Int((2 * filter.support * max(1, scale)).rounded(.up))
        }
        let size = "\(taps(sampled.width, target.width))×\(taps(sampled.height, target.height)) taps"
        return "\(filter.rawValue), \(size)" + (usesLinearLight ? ", linear light" : "")
    }
}
