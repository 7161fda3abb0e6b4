package import TexelCore
import TexelFilters
package import TexelPixels

extension PixelOperation {
    /// Replaces each pixel by the mean of a square window around it.
    ///
    /// - Parameter radius: the window has 2 × `radius` + 1 pixels on each side; 0…1000. 0 changes nothing.
    public static func boxBlur(radius: Int) -> PixelOperation { PixelOperation(BoxBlurOperation(radius: radius)) }
}

/// Replaces each pixel by the mean of a square window around it.
package struct BoxBlurOperation: OperationDescription {
    package static let name = "boxBlur"

    package static let options = OperationOptions.integer(
        "box-blur", in: 0...1000, help: "Replace each pixel by the mean of the pixels up to this distance."
    ) { .boxBlur(radius: $0) }

    package let radius: Int

    init(radius: Int) { self.radius = radius }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard (0...BoxFilter.largestRadius).contains(radius) else {
            throw .invalidParameter("radius", value: "\(radius)", allowed: "from 0 to \(BoxFilter.largestRadius)")
        }
        return radius == 0 ? [] : [Step(radius: radius)]
    }

    private struct Step: RowStep {
        let radius: Int

        var summary: String { "box blur, radius \(radius)" }

        var mixesPixels: Bool { true }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
            BoxFilter.sourceRows(for: rows, of: source, radius: radius)
        }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            Pass(try BoxFilter(radius: radius, for: source))
        }
    }

    private final class Pass: StepPass {
        private let filter: BoxFilter

        init(_ filter: BoxFilter) { self.filter = filter }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            filter.run(rows: rows, from: source, to: destination)
        }
    }
}
