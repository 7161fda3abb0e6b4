import TexelPixels

/// Keeps the most interesting part of the image. The place of the part is found at each run, from all rows.
struct ContentCropStep: RowStep {
    private let size: PixelSize
    private let measure: ContentMeasure

    init(_ size: PixelSize, _ measure: ContentMeasure) {
        self.size = size
        self.measure = measure
    }

    var summary: String { "crop \(size) by \(measure.rawValue)" }

    func outputSize(of source: PixelSize) -> PixelSize { size }

    func pass(for source: RasterShape) throws(PixelBufferError) -> any StepPass {
        Pass(try ContentSearch(measure, part: size, for: source))
    }

    private final class Pass: StepPass {
        private let search: ContentSearch

        init(_ search: ContentSearch) { self.search = search }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            destination.copyRows(rows, from: source.cropped(to: search.rectangle(in: source)))
        }
    }
}
