import CPixelKernels
import TestSupport
import Testing

@testable import TexelCodecs
@testable import TexelJPEG

/// Compares every kernel that chooses quantised coefficients, at every CPU level of this machine, with its scalar
/// reference.
@Suite struct TrellisKernelTests {
    /// Returns a block whose coefficients fall off in zigzag order, from `scale` on.
    private static func block(scale: Int, using generator: inout SeededGenerator) -> [Int16] {
        var block = [Int16](repeating: 0, count: 64)
        for (k, place) in Zigzag.places.enumerated() {
            let limit = min(max(scale / (1 + k * k / 8), 1), 32767)
            block[place] = Int16(Int.random(in: -limit...limit, using: &generator))
        }
        return block
    }

    private static func trellis(first: Int, using generator: inout SeededGenerator) -> ScalarTrellis {
        func random(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
            (0..<count).map { _ in Float.random(in: range, using: &generator) }
        }
        return ScalarTrellis(
            inverses: random(64, 0.001...0.05), fine: random(64, 0...1), coarse: random(64, 0...1),
            perSquare: Float.random(in: 3...30, using: &generator), first: first,
            symbols: (0..<256).map { Float($0 & 15) + Float.random(in: 0...16, using: &generator) },
            end: Float.random(in: 0...6, using: &generator), emptyEnd: Float.random(in: 0...6, using: &generator),
            alone: random(24, 0...14))
    }

    /// Calls the kernel with arrays.
    private static func quantize(
        _ blocks: inout [Int16], _ weights: [Float]?, _ trellis: ScalarTrellis, _ kernels: texel_trellis_kernels
    ) {
        let count = blocks.count / 64
        func withKernel(_ body: (UnsafePointer<texel_trellis>) -> Void) {
            trellis.inverses.withUnsafeBufferPointer { inverses in
                trellis.fine.withUnsafeBufferPointer { fine in
                    trellis.coarse.withUnsafeBufferPointer { coarse in
                        trellis.symbols.withUnsafeBufferPointer { symbols in
                            trellis.leastRates.withUnsafeBufferPointer { least in
                                trellis.alone.withUnsafeBufferPointer { alone in
                                    guard let inverses = inverses.baseAddress, let fine = fine.baseAddress,
                                        let coarse = coarse.baseAddress, let symbols = symbols.baseAddress,
                                        let least = least.baseAddress, let alone = alone.baseAddress
                                    else { return }
                                    var parameters = texel_trellis(
                                        inverses: inverses, fine: fine, coarse: coarse,
                                        per_square: trellis.perSquare, first: Int32(trellis.first), symbols: symbols,
                                        least_rates: least, end: trellis.end, empty_end: trellis.emptyEnd,
                                        alone: alone)
                                    body(&parameters)
                                }
                            }
                        }
                    }
                }
            }
        }
        withKernel { parameters in
            guard let weights else { return kernels.trellis_row(&blocks, count, nil, parameters) }
            kernels.trellis_row(&blocks, count, weights, parameters)
        }
    }

    @Test(arguments: PNGKernelTests.Level.all, [1, 3]) func trellisKernelsEqualTheScalarForm(
        level: PNGKernelTests.Level, first: Int
    ) throws {
        let kernels = try level.kernels().trellis
        var generator = SeededGenerator(seed: 81)
        for round in 0..<60 {
            let trellis = Self.trellis(first: first, using: &generator)
            let scales = [0, 20, 300, 3000, 40_000, 4_000_000]
            let blocks = scales.map { Self.block(scale: $0, using: &generator) }
            let weights =
                round % 3 == 0
                ? nil
                : scales.indices.flatMap { _ in
                    [Float.random(in: 0.1...8, using: &generator), Float.random(in: 0.1...8, using: &generator)]
                }
            var result = blocks.flatMap(\.self)
            Self.quantize(&result, weights, trellis, kernels)
            for (index, block) in blocks.enumerated() {
                let pair = weights.map { SIMD2($0[2 * index], $0[2 * index + 1]) } ?? SIMD2(1, 0)
                #expect(
                    Array(result[(index * 64)..<(index * 64 + 64)]) == trellis.quantized(block, pair),
                    "round \(round), block \(index)")
            }
        }
    }

    @Test(arguments: PNGKernelTests.Level.all) func meansEqualTheScalarForm(level: PNGKernelTests.Level) throws {
        let kernels = try level.kernels().trellis
        var generator = SeededGenerator(seed: 82)
        for count in [1, 2, 3, 50] {
            for range in [1, 50, 3000, 32767] as [Int16] {
                let values = (0..<count).map { _ in Int16.random(in: -range...range, using: &generator) }
                let rates = (0..<12).map { Float($0) + Float.random(in: 0...4, using: &generator) }
                let (inverse, perSquare) = (Float(1) / 48, Float.random(in: 1...30, using: &generator))
                let before = Int.random(in: -1023...1023, using: &generator)
                var blocks = [Int16](repeating: 99, count: count * 64)
                for (index, value) in values.enumerated() { blocks[index * 64] = value }
                var previous = [UInt8](repeating: 0, count: 3 * count)
                rates.withUnsafeBufferPointer { rates in
                    guard let base = rates.baseAddress else { return }
                    var parameters = texel_mean_trellis(inverse: inverse, per_square: perSquare, rates: base)
                    kernels.trellis_means(&blocks, count, &previous, Int32(before), &parameters)
                }
                let expected = ScalarTrellis.means(
                    values, before: before, inverse: inverse, perSquare: perSquare, rates: rates)
                #expect(stride(from: 0, to: blocks.count, by: 64).map { blocks[$0] } == expected, "\(count), \(range)")
                #expect(blocks.indices.allSatisfy { $0 % 64 == 0 || blocks[$0] == 99 })
            }
        }
    }

    @Test(arguments: PNGKernelTests.Level.all) func masksEqualTheScalarForm(level: PNGKernelTests.Level) throws {
        let kernels = try level.kernels().trellis
        var generator = SeededGenerator(seed: 83)
        for round in 0..<200 {
            let values: [Int16] = round % 2 == 0 ? [0, 0, 0, 1, -2, 3, -4, 8] : [0, -1, 7, -8, .min, .max]
            let block = (0..<64).map { _ in values.randomElement(using: &generator) ?? 0 }
            var result = [UInt64](repeating: 1, count: 4)
            kernels.coefficient_masks(&result, block)
            #expect(result == ScalarTrellis.masks(block))
            kernels.saturated_samples(&result, block, 3, -4)
            let expected = [{ $0 >= 3 }, { $0 <= -4 }].map { (isInside: (Int16) -> Bool) in
                (0..<64).reduce(UInt64(0)) { $0 | (isInside(block[$1]) ? 1 << UInt64($1) : 0) }
            }
            #expect(Array(result.prefix(2)) == expected)
        }
    }

    @Test(arguments: PNGKernelTests.Level.all) func roundingErrorsEqualTheScalarForm(level: PNGKernelTests.Level) throws
    {
        let kernels = try level.kernels().trellis
        var generator = SeededGenerator(seed: 84)
        for scale in [10, 300, 30_000] {
            let block = Self.block(scale: scale, using: &generator)
            let steps = (0..<64).map { _ in Float(Int.random(in: 1...255, using: &generator)) }
            let quantized = (0..<64).map { Int16((Float(block[$0]) / 16 / steps[$0]).rounded()) }
            let response: [Float] = [1, 0.4105335, 0, 0.05062309, 0, 0.02260094, 0, 0.01624323]
            var sums = [Float](repeating: -1, count: 32)
            kernels.rounding_errors(&sums, block, quantized, steps)
            #expect(Array(sums.prefix(8)) == ScalarTrellis.roundingErrors(block, quantized, steps))
            kernels.masking_sums(&sums, block, quantized, steps, response)
            #expect(sums == ScalarTrellis.maskingSums(block, quantized, steps, response))
        }
    }

    @Test(arguments: PNGKernelTests.Level.all) func chromaLossesEqualTheScalarForm(level: PNGKernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 85)
        for width in [1, 2, 3, 7, 8, 9, 31, 32, 33, 34, 35, 66, 67, 68, 100, 257] {
            for range in [40, 2048] as [Int16] {
                let original = (0..<width).map { _ in Int16.random(in: -range...(range - 1), using: &generator) }
                let halves = (0..<2).map { _ in
                    (0..<((width + 1) / 2)).map { _ in Int16.random(in: -4 * range...(4 * range - 1), using: &generator)
                    }
                }
                var losses = [Int32](repeating: 5, count: width) + [-7]
                kernels.chroma_loss_row(&losses, original, halves[0], halves[1], width)
                let expected = ScalarTrellis.chromaLosses(original, near: halves[0], far: halves[1]).map { $0 + 5 }
                #expect(losses == expected + [-7], "width \(width)")
                var blocks = [UInt32](repeating: 3, count: (width + 7) / 8)
                let count = kernels.add_chroma_losses(&blocks, losses, width, 90_000)
                #expect(count == expected.count { $0 > 90_000 }, "width \(width)")
                let sums = blocks.indices.map { block in
                    expected[(8 * block)..<min(8 * block + 8, width)].reduce(3) { $0 + UInt32($1) }
                }
                #expect(blocks == sums, "width \(width)")
            }
        }
    }
}
