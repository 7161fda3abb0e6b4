import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// The visibility of an error in each coefficient of each block, modelled on SSIMULACRA2 (Sneyers 2023): errors are
/// less visible where the image varies. Estimated from the coefficients and their rounding errors only.
///
/// Two scales are used: samples, and block means, to which low AC coefficients contribute.
struct BlockWeights: Sendable {
    /// For each block, the weight at the fine scale and that at the coarse scale.
    let factors: [Float]
    /// The share of each scale in a coefficient's weight, in zigzag order.
    let fine: [Float]
    let coarse: [Float]
}

extension BlockWeights {
    /// Computes the weights.
    ///
    /// - Parameters:
    ///   - frequencies: the unquantised coefficients of luma.
    ///   - plain: rounds them to the steps of `table`.
    ///   - strength: the exponent of the weights, 0…1. Less than 1, because the metric is not made for single blocks.
    /// - Throws: `stopped`.
    init(
        _ frequencies: BlockPlane, _ plain: RoundingQuantizer, _ table: QuantizationTable, strength: Double,
        _ rows: BlockRows
    ) throws(TexelError) {
        var maps = try BlockMaps(frequencies, plain, table, rows)
        try maps.smooth(rows)
        let smoothed = maps
        let scales = try rows.map(2) { scale in
            let logarithms = smoothed.weights(scale).map { BinaryLogarithm.logarithm(Double($0)) }
            let mean = logarithms.reduce(0, +) / Double(logarithms.count)
            let factors = logarithms.map {
                Float(BinaryLogarithm.power(min(max(strength * ($0 - mean), -3), 3)))
            }
            return (mean: mean, factors: factors)
        }
        factors = [Float](unsafeUninitializedCapacity: 2 * frequencies.count) { factors, count in
            count = 2 * frequencies.count
            for block in 0..<frequencies.count {
                factors[2 * block] = scales[0].factors[block]
                factors[2 * block + 1] = scales[1].factors[block]
            }
        }
        let means = scales.map(\.mean)
        let fineMean = BinaryLogarithm.power(means[0]) * Self.fineShare
        let coarseMean = BinaryLogarithm.power(means[1])
        let shares = Zigzag.places.map { place -> Double in
            let response = coarseMean * Double(BlockMaps.response[place % 8] * BlockMaps.response[place / 8])
            return response / (fineMean + response)
        }
        fine = shares.map { Float(1 - $0) }
        coarse = shares.map { Float($0) }
    }

    private static let fineShare = 1.4
}

/// Statistics of the blocks of an image.
private struct BlockMaps: Sendable {
    private let width: Int
    private let height: Int
    /// For each scale, the mean squared rounding error, and the mean square of the signal.
    private var lost: [[Float]]
    private var present: [[Float]]
    private var means: [Float]
    private var squares: [Float]
    /// The block means before smoothing.
    private let levels: [Float]

    /// The squared response of a sliding mean of eight samples to each frequency u: (sin(8 x) / (8 sin x))², x = u π /
    /// 16.
    static let response: [Float] = [1, 0.4105335, 0, 0.05062309, 0, 0.02260094, 0, 0.01624323]

    /// - Throws: `stopped`.
    init(
        _ frequencies: BlockPlane, _ plain: RoundingQuantizer, _ table: QuantizationTable, _ rows: BlockRows
    ) throws(TexelError) {
        width = frequencies.width
        height = frequencies.height
        let steps = table.steps.map { Float($0) }
        let sums = try rows.map(height) { row in
            (0..<frequencies.width).map { block in
                let words = frequencies.row(row) + block * 64
                return plain.withRounded(words) { Sums(words, $0, steps) }
            }
        }.flatMap(\.self)
        lost = [sums.map { $0.fine[0] }, sums.map { $0.coarse[0] }]
        present = [sums.map { $0.fine[1] }, sums.map { $0.coarse[1] }]
        levels = sums.map { $0.mean }
        means = levels
        squares = levels.map { $0 * $0 }
    }

    /// One block's sums over its AC coefficients.
    private struct Sums: Sendable {
        /// The squared errors, and the squared signal.
        let fine: SIMD2<Float>
        let coarse: SIMD2<Float>
        let mean: Float

        /// - Parameter steps: 64 steps.
        init(_ words: UnsafePointer<Int16>, _ rounded: UnsafePointer<Int16>, _ steps: [Float]) {
            mean = Float(words[0]) / Float(ForwardTransform.scale) / 8
            var columns = InlineArray<4, SIMD8<Float>>(repeating: SIMD8())
            withUnsafeMutablePointer(to: &columns) { columns in
                // The kernel writes four times eight sums.
                let columns = UnsafeMutableRawPointer(columns).assumingMemoryBound(to: Float.self)
                let kernel = texel_kernels_in_use().pointee.trellis.masking_sums
                kernel(columns, words, rounded, steps, BlockMaps.response)
            }
            fine = SIMD2(columns[0].sum(), columns[1].sum()) / 64
            coarse = SIMD2(columns[2].sum(), columns[3].sum()) / 64
        }
    }

    /// Smooths all maps over neighbouring blocks, those of the coarse scale twice.
    ///
    /// - Throws: `stopped`.
    mutating func smooth(_ rows: BlockRows) throws(TexelError) {
        let maps = [(lost[1], 2), (present[1], 2), (lost[0], 1), (present[0], 1), (means, 1), (squares, 1)]
        let results = try rows.map(maps.count) { [self] index in
            (0..<maps[index].1).reduce(maps[index].0) { map, _ in smoothed(map) }
        }
        (lost, present) = ([results[2], results[0]], [results[3], results[1]])
        (means, squares) = (results[4], results[5])
    }

    /// Convolves with weights of 1/4, 1/2 and 1/4 in both directions; edge blocks are repeated.
    private func smoothed(_ map: [Float]) -> [Float] {
        var across = map, result = map
        for y in 0..<height {
            let row = y * width
            for x in 0..<width {
                across[row + x] =
                    0.25 * (map[row + max(x - 1, 0)] + 2 * map[row + x] + map[row + min(x + 1, width - 1)])
            }
        }
        for y in 0..<height {
            let (above, row, below) = (max(y - 1, 0) * width, y * width, min(y + 1, height - 1) * width)
            for x in 0..<width {
                result[row + x] = 0.25 * (across[above + x] + 2 * across[row + x] + across[below + x])
            }
        }
        return result
    }

    /// Returns the slope of the metric at a scale with respect to each block's squared error. The metric has terms for
    /// the mean and the 4-norm of the structural dissimilarity.
    func weights(_ scale: Int) -> [Float] {
        scale == 0 ? weights(0, mean: 0, norm: 7.47) : weights(1, mean: 176, norm: 24.4)
    }

    private func weights(_ scale: Int, mean: Float, norm: Float) -> [Float] {
        var (losses, slopes) = (levels, levels)
        var sum = 0.0
        for block in levels.indices {
            let slope = Self.slopes[min(max(Int(levels[block] + 128), 0), 255)]
            let around = max(squares[block] - means[block] * means[block], 0)
            let masking = slope * (present[scale][block] + 2 * around) + 0.0009
            slopes[block] = slope / masking
            let loss = slopes[block] * lost[scale][block]
            losses[block] = loss
            sum += Double(loss * loss * loss * loss)
        }
        // The derivative of the 4-norm.
        let fourth = sum / Double(losses.count)
        let factor = fourth > 0 ? norm * Float(BinaryLogarithm.power(-0.75 * BinaryLogarithm.logarithm(fourth))) : 0
        return losses.indices.map { block in
            let loss = losses[block]
            return slopes[block] * (mean + factor * loss * loss * loss) + 1e-12
        }
    }

    /// For each grey level, the squared slope of its value in SSIMULACRA2's colour space (the cube root of linear
    /// light).
    private static let slopes: [Float] = (0..<256).map { level in
        func place(_ level: Int) -> Double {
            let value = Double(min(max(level, 0), 255)) / 255
            let linear = TransferCurve.light(value) { BinaryLogarithm.power($1 * BinaryLogarithm.logarithm($0)) }
            return BinaryLogarithm.power(BinaryLogarithm.logarithm(linear + 0.0037930733) / 3)
        }
        // At both ends the difference spans one level instead of two.
        let slope = (place(level + 1) - place(level - 1)) / (level == 0 || level == 255 ? 1 : 2)
        return Float(slope * slope)
    }
}
