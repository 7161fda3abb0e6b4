public import TexelPixels

extension PixelOperation {
    /// Rotates clockwise by degrees; multiples of 90 are exact, other angles enlarge the canvas.
    public static func rotate(degrees: Double, filter: ResamplingFilter = .lanczos3) -> PixelOperation {
        PixelOperation(RotateOperation(degrees: degrees, filter: filter))
    }
}

/// Rotates the image about its centre.
package struct RotateOperation: OperationDescription {
    package static let name = "rotate"

    package let degrees: Double
    package let filter: ResamplingFilter

    init(degrees: Double, filter: ResamplingFilter) {
        self.degrees = degrees
        self.filter = filter
    }

    package func steps(for size: PixelSize, background: PixelColor) throws(PixelBufferError) -> [any RowStep] {
        let canvas = try size.rotated(by: degrees)
        guard let turns = try quarterTurns(in: degrees) else {
            return [RotateStep(degrees: degrees, filter: filter, background: background, canvas: canvas)]
        }
        let orientation = Orientation(quarterTurns: turns)
        return orientation == .identity ? [] : [MoveStep(orientation)]
    }

    package func write(to writer: inout FieldWriter) {
        writer.append(degrees)
        writer.append(filter)
    }
}

/// Rotates the image by an angle that is not a multiple of 90°.
struct RotateStep: RowStep {
    let degrees: Double
    let filter: ResamplingFilter
    let background: PixelColor
    /// The size of the result.
    let canvas: PixelSize

    var summary: String { "rotate by \(degrees)°" }

    var mixesPixels: Bool { true }

    func outputSize(of source: PixelSize) -> PixelSize { canvas }

    func alphaMode(of source: AlphaMode) -> AlphaMode { Warp.alphaMode(of: source, on: background) }

    func pass(for source: RasterShape) throws(PixelBufferError) -> any StepPass {
        WarpPass(try Warp(rotating: source.size, by: degrees, filter: filter, background: background))
    }
}
