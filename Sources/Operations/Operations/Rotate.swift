package import TexelCore
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

    /// Whether the angle is a multiple of 90°, so that pixels are only moved.
    package var isQuarterTurn: Bool { degrees.truncatingRemainder(dividingBy: 90) == 0 }

    package var usesBackground: Bool { !isQuarterTurn }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard let turns = try quarterTurns(in: degrees) else {
            let warp = try Warp(rotating: size, by: degrees, filter: filter, background: background)
            return [WarpStep(warp, summary: "rotate by \(degrees)°")]
        }
        let orientation = Orientation(quarterTurns: turns)
        return orientation == .identity ? [] : [MoveStep(orientation)]
    }
}
