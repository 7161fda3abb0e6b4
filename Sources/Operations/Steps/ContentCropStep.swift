import TexelCore
import TexelMetrics
import TexelPixels

/// Keeps the most interesting part of the image. Its place is found first, from all rows.
struct ContentCropStep: RowStep {
    private let size: PixelSize
    private let measure: ContentMeasure

    init(_ size: PixelSize, _ measure: ContentMeasure) {
        self.size = size
        self.measure = measure
    }

    var summary: String { "crop \(size) by \(measure.rawValue)" }

    var surveysSource: Bool { true }

    func outputSize(of source: PixelSize) -> PixelSize { size }

    func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        Pass(try ContentSearch(measure, part: size, for: source), size)
    }

    private final class Pass: StepPass {
        private let search: ContentSearch
        private var place: PixelRectangle

        init(_ search: ContentSearch, _ size: PixelSize) {
            self.search = search
            place = PixelRectangle(covering: size)
        }

        func begin(_ source: Raster) { place = search.rectangle(in: source) }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            destination.copyRows(rows, from: source.cropped(to: place))
        }
    }
}
