import PlatformLibc
package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Raises all colours, from 0 to 1, to the power of 1 / `gamma`.
    ///
    /// - Parameter gamma: more than 1 makes colours lighter; from 0.01 to 100.
    public static func gamma(_ gamma: Double) -> PixelOperation { PixelOperation(GammaOperation(gamma: gamma)) }
}

/// Raises all colours to a power.
package struct GammaOperation: ColorOperation {
    package static let name = "gamma"

    package static let options = OperationOptions.number(
        "gamma", in: 0.01...100, help: "Raise colours to the power of 1 / gamma; more than 1 makes them lighter."
    ) { .gamma($0) }

    package let gamma: Double

    package var summary: String { "gamma \(gamma.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try gamma.checked("gamma", in: 0.01...100)
        let exponent = 1 / gamma
        return gamma == 1 ? [] : [.curve { pow($0, exponent) }]
    }
}
