import PlatformLibc
package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Multiplies the light of all pixels by a power of two, as a camera's exposure does.
    ///
    /// - Parameter stops: the exponent, from -20 to 20.
    public static func exposure(stops: Double) -> PixelOperation { PixelOperation(ExposureOperation(stops: stops)) }
}

/// Multiplies light, with sRGB's curve undone, by a power of two.
package struct ExposureOperation: ColorOperation {
    package static let name = "exposure"

    package static let options = OperationOptions.number(
        "exposure", in: -20...20, help: "Exposure in stops."
    ) { .exposure(stops: $0) }

    package let stops: Double

    package var summary: String { "exposure \(stops.short) stops" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try stops.checked("the exposure", in: -20...20)
        let factor = exp2(stops)
        return stops == 0 ? [] : [.curve { TransferCurve.value(TransferCurve.light($0) * factor) }]
    }
}
