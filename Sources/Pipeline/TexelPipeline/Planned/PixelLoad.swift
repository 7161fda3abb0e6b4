package import TexelOperations
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
