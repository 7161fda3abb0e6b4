public import TexelPixels

extension PixelOperation {
    /// Turns the image in space and shows it in perspective.
    public static func turn(_ attitude: Attitude, filter: ResamplingFilter = .lanczos3) -> PixelOperation {
        PixelOperation(TurnOperation(attitude: attitude, filter: filter))
    }
}

/// Turns the image in space.
package struct TurnOperation: OperationDescription {
    package static let name = "turn"

    package let attitude: Attitude
    package let filter: ResamplingFilter

    init(attitude: Attitude, filter: ResamplingFilter) {
        self.attitude = attitude
        self.filter = filter
    }

    package func steps(for size: PixelSize, background: PixelColor) throws(PixelBufferError) -> [any RowStep] {
        if attitude.staysInPlane {
            return try RotateOperation(degrees: attitude.roll, filter: filter).steps(for: size, background: background)
        }
        return [
            TurnStep(
                attitude: attitude, filter: filter, background: background, canvas: try size.inPerspective(attitude))
        ]
    }

    package func write(to writer: inout FieldWriter) {
        writer.append(attitude)
        writer.append(filter)
    }
}

/// Turns the image in space, about more than its centre.
struct TurnStep: RowStep {
    let attitude: Attitude
    let filter: ResamplingFilter
    let background: PixelColor
    /// The size of the result.
    let canvas: PixelSize

    var summary: String { "perspective" }

    var mixesPixels: Bool { true }

    func outputSize(of source: PixelSize) -> PixelSize { canvas }

    func alphaMode(of source: AlphaMode) -> AlphaMode { Warp.alphaMode(of: source, on: background) }

    func pass(for source: RasterShape) throws(PixelBufferError) -> any StepPass {
        WarpPass(try Warp(turning: source.size, to: attitude, filter: filter, background: background))
    }
}
