import TexelCodecs
import TexelCore

/// Lets black and white samples overshoot, because decoders clamp them. Ringing around text on white costs bits and is
/// visible; overshoot is neither.
///
/// Uses alternating projections: in each round, saturated samples take their decoded values if those are beyond black
/// or white, and all other samples are restored.
enum Deringing {
    private static let rounds = 4
    /// The maximum overshoot in 8-bit steps. It keeps coefficients below 224 × 8, so that they fit in words of 1/16.
    private static let limit: Float = 96

    /// Changes the DCT coefficients of blocks with saturated samples.
    ///
    /// - Throws: `stopped`.
    static func apply(
        to frequencies: BlockPlane, _ saturated: SaturatedSamples, _ table: QuantizationTable, _ rows: BlockRows
    ) throws(TexelError) {
        let steps = FloatBlock { row in SIMD8((0..<8).map { Float(table.steps[row * 8 + $0]) }) }
        try rows.forEach(frequencies.height) { row in
            for block in (row * frequencies.width)..<((row + 1) * frequencies.width) where saturated[block].isEdge {
                overshoot(frequencies.base + block * 64, saturated[block], steps)
            }
        }
    }

    private static func overshoot(
        _ words: UnsafeMutablePointer<Int16>, _ masks: SaturatedSamples.Masks, _ steps: FloatBlock
    ) {
        // The block's 64 words.
        var coefficients = FloatBlock { row in
            var values = SIMD8<Float>()
            for column in 0..<8 { values[column] = Float(words[row * 8 + column]) / Float(ForwardTransform.scale) }
            return values
        }
        let original = coefficients.samples()
        var samples = original
        for _ in 0..<rounds {
            let decoded = FloatBlock { row in
                FloatBlock.rounded(coefficients.rows[row] / steps.rows[row]) * steps.rows[row]
            }.samples()
            samples = FloatBlock { row in
                var values = original.rows[row]
                for column in 0..<8 {
                    let bit = UInt64(row * 8 + column)
                    if masks.white >> bit & 1 == 1 {
                        values[column] = min(max(decoded.rows[row][column], 127), 127 + limit)
                    } else if masks.black >> bit & 1 == 1 {
                        values[column] = max(min(decoded.rows[row][column], -128), -128 - limit)
                    }
                }
                return values
            }
            coefficients = samples.coefficients()
        }
        for row in 0..<8 {
            let values = FloatBlock.rounded(coefficients.rows[row] * Float(ForwardTransform.scale))
            for column in 0..<8 { words[row * 8 + column] = Int16(values[column]) }
        }
    }
}

/// A block of samples or coefficients. Sums are computed in a fixed order, so that results are equal on all processors.
private struct FloatBlock: Sendable {
    typealias Rows = InlineArray<8, SIMD8<Float>>

    var rows: Rows

    @inline(__always) init(_ row: (Int) -> SIMD8<Float>) { rows = Rows { row($0) } }

    /// Rounds to integers, for magnitudes below 2²²: adding 1.5 × 2²³ leaves no fraction bits in a `Float`.
    @inline(__always) static func rounded(_ values: SIMD8<Float>) -> SIMD8<Float> { values + 12_582_912 - 12_582_912 }

    /// cos(k π / 16) / 2 for k from 0 to 8.
    private static let quarter: [Float] = [
        0.5, 0.490392640, 0.461939766, 0.415734806, 0.353553391, 0.277785117, 0.191341716, 0.0975451610, 0,
    ]

    /// The DCT matrix, by frequency and by sample.
    private static let waves = Rows { frequency in SIMD8((0..<8).map { factor(frequency, $0) }) }
    private static let parts = Rows { sample in SIMD8((0..<8).map { factor($0, sample) }) }

    private static func factor(_ frequency: Int, _ sample: Int) -> Float {
        CosineFactor.of(frequency: frequency, sample: sample, quarter: quarter)
    }

    /// The forward DCT (ITU-T T.81, A.3.3).
    func coefficients() -> FloatBlock {
        product(Self.waves, Self.parts)
    }

    /// The inverse DCT.
    func samples() -> FloatBlock {
        product(Self.parts, Self.waves)
    }

    /// Multiplies by `down` from the left and by `across` from the right.
    @inline(__always) private func product(_ down: Rows, _ across: Rows) -> FloatBlock {
        FloatBlock { row in
            var columns = SIMD8<Float>()
            for index in 0..<8 { columns += rows[index] * down[row][index] }
            var result = SIMD8<Float>()
            for index in 0..<8 { result += across[index] * columns[index] }
            return result
        }
    }
}
