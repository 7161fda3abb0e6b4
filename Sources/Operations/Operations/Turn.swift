public import TexelPixels

extension PixelOperation {
    /// Turns the image in space and shows it in perspective.
    public static func turn(_ attitude: Rotation3D, filter: ResamplingFilter = .lanczos3) -> PixelOperation {
        PixelOperation(TurnOperation(attitude: attitude, filter: filter))
    }
}

/// Turns the image in space.
package struct TurnOperation: OperationDescription {
    package static let name = "turn"

    package let attitude: Rotation3D
    package let filter: ResamplingFilter

    init(attitude: Rotation3D, filter: ResamplingFilter) {
        self.attitude = attitude
        self.filter = filter
    }

    package var usesBackground: Bool { true }

    package func steps(for size: PixelSize, background: PixelColor) throws(PixelBufferError) -> [any RowStep] {
        if attitude.staysInPlane {
            return try RotateOperation(degrees: attitude.roll, filter: filter).steps(for: size, background: background)
        }
        let warp = try Warp(turning: size, to: attitude, filter: filter, background: background)
        return [WarpStep(warp, summary: "perspective")]
    }
}
