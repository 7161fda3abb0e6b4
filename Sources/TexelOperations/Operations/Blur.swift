package import TexelPixels

extension PixelOperation {
    /// Blurs the image with a Gaussian.
    ///
    /// - Parameter sigma: the standard deviation in pixels, 0…1000; 0 changes nothing.
    public static func blur(sigma: Double) -> PixelOperation { PixelOperation(BlurOperation(sigma: sigma)) }
}

/// Blurs the image with a Gaussian.
package struct BlurOperation: OperationDescription {
    package static let name = "blur"

    package let sigma: Double

    init(sigma: Double) { self.sigma = sigma }

    package func steps(for size: PixelSize, background: PixelColor) throws(PixelBufferError) -> [any RowStep] {
        guard sigma >= 0, sigma <= GaussianBlur.largestSigma else {
            throw .invalidParameter("sigma", value: "\(sigma)", allowed: "from 0 to \(Int(GaussianBlur.largestSigma))")
        }
        return GaussianBlur(sigma: sigma).map { [Step(blur: $0, sigma: sigma)] } ?? []
    }

    package func write(to writer: inout FieldWriter) { writer.append(sigma) }

    private struct Step: RowStep {
        let blur: GaussianBlur
        let sigma: Double

        var summary: String { "blur, sigma \(sigma)" }

        var mixesPixels: Bool { true }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
            blur.sourceRows(for: rows, of: source)
        }

        func pass(for source: RasterShape) throws(PixelBufferError) -> any StepPass {
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
