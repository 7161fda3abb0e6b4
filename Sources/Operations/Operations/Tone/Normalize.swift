package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Stretches the colours of the image to the whole range.
    ///
    /// All channels are stretched alike, so that greys stay grey: the luma of the darkest pixel becomes 0, that of the
    /// brightest one 255. An image of one luma does not change. The results are those of Pillow's `autocontrast` with
    /// `preserve_tone`; sharp's `normalise` does the same to the lightness of CIELAB.
    ///
    /// - Parameters:
    ///   - lowerPercentile: this part of the pixels may become black, in percent.
    ///   - upperPercentile: this part of the pixels does not become white; more than `lowerPercentile`.
    public static func normalize(lowerPercentile: Double = 1, upperPercentile: Double = 99) -> PixelOperation {
        PixelOperation(NormalizeOperation(lowerPercentile: lowerPercentile, upperPercentile: upperPercentile))
    }
}

/// Stretches the colours of the image to the whole range.
package struct NormalizeOperation: OperationDescription {
    package static let name = "normalize"
    package static let section = OperationSection.tone

    package static let options = OperationOptions.flag(
        "normalize", help: "Stretch colours so that the darkest become black and the brightest white."
    ) { .normalize() }

    package let lowerPercentile: Double
    package let upperPercentile: Double

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        try lowerPercentile.checked("the lower percentile", in: 0...100)
        try upperPercentile.checked("the upper percentile", in: 0...100)
        guard upperPercentile > lowerPercentile else {
            throw .invalidParameter(
                "the upper percentile", value: upperPercentile.short,
                allowed: "more than the lower one, \(lowerPercentile.short)")
        }
        return [Step(operation: self)]
    }

    /// Depends on all rows of the source, whose pixels are counted first.
    private struct Step: RowStep {
        let operation: NormalizeOperation

        var summary: String {
            "normalize from \(operation.lowerPercentile.short) % to \(operation.upperPercentile.short) %"
        }

        var surveysSource: Bool { true }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            Pass(
                try AutomaticLevels(
                    lowerPercentile: operation.lowerPercentile, upperPercentile: operation.upperPercentile,
                    for: source))
        }
    }

    private final class Pass: StepPass {
        private let levels: AutomaticLevels

        init(_ levels: AutomaticLevels) { self.levels = levels }

        func begin(_ source: Raster) { levels.begin(source) }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            levels.run(rows: rows, from: source, to: destination)
        }
    }
}
