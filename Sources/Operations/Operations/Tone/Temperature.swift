package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Shows the image in light of another colour temperature: below 6500 warmer, above cooler.
    ///
    /// - Parameter kelvin: the temperature of the light, 1667…25000; 6500 changes nothing.
    public static func temperature(kelvin: Double) -> PixelOperation {
        PixelOperation(TemperatureOperation(kelvin: kelvin))
    }
}

/// Adapts the image from the white of a black body at 6500 K to that of another temperature, in linear light.
///
/// White keeps its luminance, so that its largest channel may be clamped.
package struct TemperatureOperation: ColorOperation {
    package static let name = "temperature"

    package static let options = OperationOptions.number(
        "temperature", in: 1667...25_000, help: "White balance in kelvin; 6500 is neutral."
    ) { .temperature(kelvin: $0) }

    /// The temperature of an image that is not changed.
    private static let neutral = 6500.0

    package let kelvin: Double

    package var summary: String { "temperature \(kelvin.short) K" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try kelvin.checked("the temperature", in: 1667...25_000)
        if kelvin == Self.neutral { return [] }
        let matrix = ColorMatrix.adapting(from: WhitePoint(kelvin: Self.neutral), to: WhitePoint(kelvin: kelvin))
        return [.curve(TransferCurve.light), .matrix(matrix), .curve(TransferCurve.value)]
    }
}
