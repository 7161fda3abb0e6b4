package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Turns the image in space and shows it in perspective.
    public static func turn(_ rotation: Rotation3D, filter: ResamplingFilter = .lanczos3) -> PixelOperation {
        PixelOperation(TurnOperation(rotation: rotation, filter: filter))
    }
}

/// Turns the image in space.
package struct TurnOperation: OperationDescription {
    package static let name = "turn"

    package let rotation: Rotation3D
    package let filter: ResamplingFilter

    init(rotation: Rotation3D, filter: ResamplingFilter) {
        self.rotation = rotation
        self.filter = filter
    }

    package var usesBackground: Bool { true }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        if rotation.staysInPlane {
            return try RotateOperation(degrees: rotation.roll, filter: filter).steps(for: size, background: background)
        }
        let warp = try Warp(turning: size, to: rotation, filter: filter, background: background)
        return [WarpStep(warp, summary: "perspective")]
    }
}
