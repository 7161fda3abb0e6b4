package import TexelCore
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

    package static let options: OperationOptions = {
        let keys = ["curves", "curves-red", "curves-green", "curves-blue"].map { ParameterKey<String>($0) }
        let help = [
            "Change colours by a smooth curve through points such as '0,0 128,150 255,255'.",
            "The same for red only, before --curves.", "The same for green only.", "The same for blue only.",
        ]
        let parameters = zip(keys, help).map { key, help in
            Parameter(key, form: "points such as \"0,0 128,150 255,255\"", help: help) { points($0) != nil }
        }
        return OperationOptions(parameters) { values in
            let curves = keys.map { values[$0].flatMap(points) ?? [] }
            if curves.allSatisfy(\.isEmpty) { return [] }
            return [.curves(all: curves[0], red: curves[1], green: curves[2], blue: curves[3])]
        }
    }()

    /// Parses `0,0 128,150 255,255`.
    private static func points(_ text: String) -> [CurvePoint]? {
        var points: [CurvePoint] = []
        for pair in text.split(separator: " ") {
            let numbers = pair.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 2, let input = numbers[0], let output = numbers[1],
                (0...255).contains(input), (0...255).contains(output), input > points.last?.input ?? -1
            else { return nil }
            points.append(CurvePoint(input, output))
        }
        return points.isEmpty ? nil : points
    }

    package let all: [CurvePoint]
    package let red: [CurvePoint]
    package let green: [CurvePoint]
    package let blue: [CurvePoint]

    package var summary: String { "curves" }

    package func changes() throws(TexelError) -> [ColorChange] {
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
