package import TexelCore
import TexelFilters
package import TexelPixels

extension PixelOperation {
    /// Blurs the image with a Gaussian.
    ///
    /// - Parameters:
    ///   - sigma: the standard deviation in pixels, 0…1000; 0 changes nothing.
    ///   - usesLinearLight: whether light is blurred (with sRGB's transfer curve undone first) instead of stored
    ///     values.
    public static func blur(sigma: Double, usesLinearLight: Bool = false) -> PixelOperation {
        PixelOperation(BlurOperation(sigma: sigma, usesLinearLight: usesLinearLight))
    }
}

/// Blurs the image with a Gaussian.
package struct BlurOperation: OperationDescription {
    package static let name = "blur"

    package static let options: OperationOptions = {
        let key = ParameterKey<Double>("blur")
        let help = "Blur with a Gaussian of this standard deviation, in pixels."
        return OperationOptions([Parameter(key, in: 0...1000, help: help)]) { values in
            values[key].map { [.blur(sigma: $0, usesLinearLight: values[.linear] ?? false)] } ?? []
        }
    }()

    package let sigma: Double
    package let usesLinearLight: Bool

    init(sigma: Double, usesLinearLight: Bool) {
        self.sigma = sigma
        self.usesLinearLight = usesLinearLight
    }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard sigma >= 0, sigma <= GaussianBlur.largestSigma else {
            throw .invalidParameter("sigma", value: "\(sigma)", allowed: "from 0 to \(Int(GaussianBlur.largestSigma))")
        }
        guard let blur = GaussianBlur(sigma: sigma, usesLinearLight: usesLinearLight) else { return [] }
        return [Step(blur: blur, operation: self)]
    }

    private struct Step: RowStep {
        let blur: GaussianBlur
        let operation: BlurOperation

        var summary: String {
            "blur, sigma \(operation.sigma)" + (operation.usesLinearLight ? ", linear light" : "")
        }

        var mixesPixels: Bool { true }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
            blur.sourceRows(for: rows, of: source)
        }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            Pass(try BlurFilter(blur, for: source))
        }
    }

    private final class Pass: StepPass {
        private let filter: BlurFilter

        init(_ filter: BlurFilter) { self.filter = filter }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            filter.run(rows: rows, from: source, to: destination)
        }
    }
}
