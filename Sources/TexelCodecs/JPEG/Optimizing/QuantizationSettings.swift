/// The constants of quantisation, found by experiment: bytes at equal SSIMULACRA2 over photographs, with PSNR-HVS-M as a
/// second opinion.
struct QuantizationSettings: Sendable {
    struct Component: Sendable {
        var table: QuantizationTable
        /// What a bit costs, in squares of a step.
        var price: Float
    }

    var luma: Component
    var chroma: Component

    /// - Parameter quality: 1…100, libjpeg's scale.
    init(quality: Double) {
        self.init(scale: Self.scales.value(at: min(max(quality, 1), 100)))
    }

    /// - Parameter scale: what all steps are multiplied with.
    init(scale: Double) {
        // Where steps are small, errors are small beside what is masked anyhow, and bits may cost less.
        let price = BinaryLogarithm.power(0.3 * BinaryLogarithm.logarithm(scale))
        luma = Component(
            table: Self.table(Self.lumaSteps, diagonal: 0.15, scale), price: Float(0.07 * price))
        chroma = Component(table: Self.table(Self.chromaSteps, diagonal: 0, scale), price: Float(0.1 * price))
    }

    /// - Parameter diagonal: how much larger steps are where a frequency is as high across as down.
    private static func table(_ steps: KnotCurve, diagonal: Double, _ scale: Double) -> QuantizationTable {
        let basis = (0..<64).map { place in
            let (across, down) = (Double(place % 8), Double(place / 8))
            let square = across * across + down * down
            let direction = square > 0 ? 2 * across * down / square : 0
            return steps.value(at: square.squareRoot()) * (1 + diagonal * direction)
        }
        return QuantizationTable(basis, scale: scale)
    }

    /// The steps of frequencies, by their distance from the mean in the table.
    private static let lumaSteps = KnotCurve([(0, 8.5), (1, 11.2), (2, 17.5), (4, 41), (6, 70), (9.9, 110)])
    private static let chromaSteps = KnotCurve([(0, 8), (1, 14), (3, 26), (8, 105)])

    /// What the steps are multiplied with to come to the score that libjpeg's files have at a quality, in the mean of many
    /// photographs.
    private static let scales = KnotCurve([
        (1, 30), (10, 5.6), (20, 2.6), (30, 1.6), (40, 1.13), (50, 0.89), (60, 0.72), (70, 0.535), (75, 0.456),
        (80, 0.367), (85, 0.282), (90, 0.2), (93, 0.151), (95, 0.116), (97, 0.081), (99, 0.05), (100, 0.03),
    ])
}
