import TexelCodecs

/// The constants of quantisation. They were tuned on photographs, for few bytes at equal quality by
/// SSIMULACRA2, Butteraugli's 3-norm and HaarPSI.
struct QuantizationSettings: Sendable {
    struct Component: Sendable {
        var table: QuantizationTable
        /// The cost of a bit, as a squared error in steps.
        var price: Float
        /// The exponent of ``BlockWeights``; `nil` if all errors have equal weight.
        var weighting: Double?
    }

    var luma: Component
    var chroma: Component

    /// - Parameter quality: 1…100 on libjpeg's scale.
    init(quality: Double) {
        let scale = Self.scales.value(at: min(max(quality, 1), 100))
        func power(_ exponent: Double) -> Double {
            BinaryLogarithm.power(exponent * BinaryLogarithm.logarithm(scale))
        }
        let luma = Self.table(scale) { across, down in
            let square = across * across + down * down
            // Steps are larger for diagonal frequencies.
            let direction = square > 0 ? 1 + 0.2 * 2 * across * down / square : 1
            return Self.lumaSteps.value(at: square.squareRoot()) * direction
        }
        let chroma = Self.table(scale) { across, down in
            Self.chromaSteps.value(at: (across * across + down * down).squareRoot())
        }
        // Small steps cause small errors, which are masked more: bits may cost less.
        self.luma = Component(table: luma, price: Float(0.08 * power(0.3)), weighting: 0.075)
        self.chroma = Component(table: chroma, price: Float(0.13 * power(0.3)), weighting: nil)
    }

    private static func table(
        _ scale: Double, _ step: (_ across: Double, _ down: Double) -> Double
    ) -> QuantizationTable {
        QuantizationTable((0..<64).map { step(Double($0 % 8), Double($0 / 8)) }, scale: scale)
    }

    // The steps as functions of the distance from the DC coefficient in the table.
    private static let lumaSteps = KnotCurve([(0, 10.6), (1, 13.8), (2, 19.4), (4, 32), (6, 58), (9.9, 108)])
    private static let chromaSteps = KnotCurve([(0, 8.8), (1, 17.6), (3, 32), (8, 105)])

    /// The scale of the steps for each quality, so that many photographs have the quality of libjpeg's files, by the
    /// mean of three metrics.
    private static let scales = KnotCurve([
        (1, 30), (5, 9.8), (10, 4.684), (20, 2.129), (30, 1.37), (40, 1.025), (50, 0.824), (60, 0.662), (70, 0.522),
        (75, 0.451), (80, 0.378), (85, 0.298), (90, 0.215), (93, 0.164), (95, 0.1295), (97, 0.0897), (99, 0.0494),
        (100, 0.021),
    ])
}
