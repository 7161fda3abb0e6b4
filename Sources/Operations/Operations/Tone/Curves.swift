package import TexelPixels

extension PixelOperation {
    /// Changes colours by smooth curves through control points: each channel by its own curve, then all by `all`.
    ///
    /// Points have increasing inputs; a list without points changes nothing. The curves are monotone where the points
    /// are, and constant before the first point and after the last one.
    public static func curves(
        all: [CurvePoint] = [], red: [CurvePoint] = [], green: [CurvePoint] = [], blue: [CurvePoint] = []
    ) -> PixelOperation {
        PixelOperation(CurvesOperation(all: all, red: red, green: green, blue: blue))
    }
}

/// A control point of a curve.
public struct CurvePoint: Sendable, Hashable, Codable {
    /// The value of a channel before the change, 0…255.
    public var input: Double
    /// Its value after the change, 0…255.
    public var output: Double

    /// Creates a point.
    public init(_ input: Double, _ output: Double) {
        self.input = input
        self.output = output
    }
}

/// Changes colours by curves through control points.
package struct CurvesOperation: ColorOperation {
    package static let name = "curves"

    package let all: [CurvePoint]
    package let red: [CurvePoint]
    package let green: [CurvePoint]
    package let blue: [CurvePoint]

    package var summary: String { "curves" }

    package func changes() throws(PixelBufferError) -> [ColorChange] {
        for (name, points) in [("all channels", all), ("red", red), ("green", green), ("blue", blue)] {
            for point in points {
                try point.input.checked("an input of the curve of \(name)", in: 0...255)
                try point.output.checked("an output of the curve of \(name)", in: 0...255)
            }
            for (point, next) in zip(points, points.dropFirst()) where next.input <= point.input {
                throw .invalidParameter(
                    "an input of the curve of \(name)", value: next.input.short,
                    allowed: "more than the one before it, \(point.input.short)")
            }
        }
        func changesNothing(_ points: [CurvePoint]) -> Bool {
            points.isEmpty
                || points.allSatisfy { $0.input == $0.output } && points.first?.input == 0 && points.last?.input == 255
        }
        func function(_ points: [CurvePoint]) -> @Sendable (Double) -> Double {
            if changesNothing(points) { return { $0 } }
            let curve = MonotoneCurve(points.map { ($0.input / 255, $0.output / 255) })
            return { curve($0) }
        }
        var changes: [ColorChange] = []
        if ![red, green, blue].allSatisfy(changesNothing) {
            changes.append(.curves(function(red), function(green), function(blue)))
        }
        if !changesNothing(all) { changes.append(.curve(function(all))) }
        return changes
    }
}
