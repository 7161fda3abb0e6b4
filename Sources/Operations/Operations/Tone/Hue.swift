import PlatformLibc
package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Turns the hue of all colours.
    ///
    /// - Parameter degrees: the angle on the colour circle, from red to green.
    public static func hue(degrees: Double) -> PixelOperation { PixelOperation(HueOperation(degrees: degrees)) }
}

/// Turns the hue of all colours (Filter Effects Module Level 1, `hue-rotate()`).
package struct HueOperation: ColorOperation {
    package static let name = "hue"

    package static let options = OperationOptions.one(
        ParameterKey("hue"), { Parameter(angle: $0, help: "Turn the hue by these degrees.") }
    ) { [.hue(degrees: $0)] }

    package let degrees: Double

    package var summary: String { "hue \(degrees.short)°" }

    package func changes() throws(TexelError) -> [ColorChange] {
        guard degrees.isFinite else {
            throw .invalidParameter("the hue", value: "\(degrees)", allowed: "a number of degrees")
        }
        if degrees.remainder(dividingBy: 360) == 0 { return [] }
        let angle = degrees.remainder(dividingBy: 360) * .pi / 180
        let (cosine, sine) = (cos(angle), sin(angle))
        func row(_ constant: [Double], _ ofCosine: [Double], _ ofSine: [Double]) -> [Double] {
            (0..<3).map { constant[$0] + cosine * ofCosine[$0] + sine * ofSine[$0] } + [0]
        }
        let luma = [0.213, 0.715, 0.072]
        return [
            .matrix(
                ColorMatrix(
                    rows: row(luma, [0.787, -0.715, -0.072], [-0.213, -0.715, 0.928]),
                    row(luma, [-0.213, 0.285, -0.072], [0.143, 0.140, -0.283]),
                    row(luma, [-0.213, -0.715, 0.928], [-0.787, 0.715, 0.072])))
        ]
    }
}
