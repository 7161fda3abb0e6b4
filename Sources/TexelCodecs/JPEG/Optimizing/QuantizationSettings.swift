/// The constants of quantisation, found by experiment: bytes at equal SSIMULACRA2 over photographs, with PSNR-HVS-M as a
/// second opinion.
struct QuantizationSettings: Sendable {
    struct Component: Sendable {
        var table: QuantizationTable
        /// What a bit costs, in squares of a step; and for means.
        var price: Float
        var meansPrice: Float
        /// How much an error of a coefficient weighs, row by row.
        var weights: [Float]
        /// What is added to magnitudes in a first pass, in 1/256 of a step.
        var rounding: Int
    }

    var luma: Component
    var chroma: Component

    /// - Parameter quality: 1…100, libjpeg's scale.
    init(quality: Double) {
        let scale = Self.scales.value(at: min(max(quality, 1), 100))
        luma = Self.component(Self.lumaSteps, scale)
        chroma = Self.component(Self.chromaSteps, scale)
    }

    private static func component(_ steps: KnotCurve, _ scale: Double) -> Component {
        let basis = (0..<64).map { place in
            let (across, down) = (Double(place % 8), Double(place / 8))
            return steps.value(at: (across * across + down * down).squareRoot())
        }
        // Where steps are small, errors are small beside what is masked anyhow, and bits may cost less.
        let price = Float(0.07 * scale.squareRoot())
        return Component(
            table: QuantizationTable(basis, scale: scale), price: price, meansPrice: price,
            weights: Array(repeating: 1, count: 64), rounding: Int(0.43 * 256))
    }

    /// The steps of frequencies, by their distance from the mean in the table.
    private static let lumaSteps = KnotCurve([(0, 9), (1, 10.9), (2, 17.5), (4, 43), (6, 60), (9.9, 125)])
    private static let chromaSteps = KnotCurve([(0, 8), (1, 14), (3, 26), (8, 105)])

    /// What the steps are multiplied with to come to the score that libjpeg's files have at a quality, in the mean of many
    /// photographs.
    private static let scales = KnotCurve([
        (1, 42), (10, 4.6), (30, 1.537), (40, 1.133), (50, 0.896), (60, 0.734), (70, 0.564), (75, 0.492), (80, 0.401),
        (85, 0.318), (90, 0.226), (93, 0.172), (95, 0.134), (97, 0.094), (99, 0.055), (100, 0.03),
    ])
}
