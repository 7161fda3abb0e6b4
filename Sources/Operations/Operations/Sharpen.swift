package import TexelCore
import TexelFilters
package import TexelPixels

extension PixelOperation {
    /// Sharpens the image with an unsharp mask: adds `amount` times the difference from a blurred image.
    ///
    /// - Parameters:
    ///   - amount: 0…10, where 1 adds all of the difference. 0 changes nothing.
    ///   - radius: the standard deviation of the blur in pixels, 0…1000. 0 changes nothing.
    ///   - threshold: smaller differences are not added, 0…255.
    public static func sharpen(amount: Double, radius: Double = 1, threshold: Int = 0) -> PixelOperation {
        PixelOperation(SharpenOperation(amount: amount, radius: radius, threshold: threshold))
    }
}

/// Sharpens the image with an unsharp mask.
package struct SharpenOperation: OperationDescription {
    package static let name = "sharpen"

    package static let options = OperationOptions.text(
        "sharpen", form: "AMOUNT[,RADIUS[,THRESHOLD]] such as \"0.8\" or \"0.8,1.5,2\"",
        help: "Sharpen with an unsharp mask: AMOUNT[,RADIUS[,THRESHOLD]], such as 0.8 or 0.8,1.5,2."
    ) { text in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= 3, let amount = Double(parts[0]), (0...10).contains(amount) else { return nil }
        let radius = parts.count > 1 ? Double(parts[1]) : 1
        let threshold = parts.count > 2 ? Int(parts[2]) : 0
        guard let radius, (0...1000).contains(radius), let threshold, (0...255).contains(threshold) else { return nil }
        return [.sharpen(amount: amount, radius: radius, threshold: threshold)]
    }

    package let amount: Double
    package let radius: Double
    package let threshold: Int

    init(amount: Double, radius: Double, threshold: Int) {
        self.amount = amount
        self.radius = radius
        self.threshold = threshold
    }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard amount >= 0, amount <= SharpenFilter.largestAmount else {
            throw .invalidParameter(
                "amount", value: "\(amount)", allowed: "from 0 to \(Int(SharpenFilter.largestAmount))")
        }
        guard radius >= 0, radius <= GaussianBlur.largestSigma else {
            throw .invalidParameter(
                "radius", value: "\(radius)", allowed: "from 0 to \(Int(GaussianBlur.largestSigma))")
        }
        guard (0...255).contains(threshold) else {
            throw .invalidParameter("threshold", value: "\(threshold)", allowed: "from 0 to 255")
        }
        guard amount > 0, let blur = GaussianBlur(sigma: radius) else { return [] }
        return [Step(blur: blur, operation: self)]
    }

    private struct Step: RowStep {
        let blur: GaussianBlur
        let operation: SharpenOperation

        var summary: String {
            let (amount, radius, threshold) = (operation.amount, operation.radius, operation.threshold)
            return "sharpen, amount \(amount), radius \(radius), threshold \(threshold)"
        }

        var mixesPixels: Bool { true }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
            blur.sourceRows(for: rows, of: source)
        }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            Pass(
                try SharpenFilter(blur, amount: operation.amount, threshold: operation.threshold, for: source))
        }
    }

    private final class Pass: StepPass {
        private let filter: SharpenFilter

        init(_ filter: SharpenFilter) { self.filter = filter }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            filter.run(rows: rows, from: source, to: destination)
        }
    }
}
