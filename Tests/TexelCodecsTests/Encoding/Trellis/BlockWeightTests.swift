import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

@Suite struct BlockWeightTests {
    private let rows = BlockRows(parallelism: 2, stop: nil)

    private func weights(_ image: PixelBuffer) throws -> BlockWeights {
        let frequencies = try ImageCoefficients(image, isGray: false, sampling: (1, 1), rows).components[0]
        let table = QuantizationSettings(quality: 60).luma.table
        return try BlockWeights(frequencies, RoundingQuantizer(table), table, strength: 0.27, rows)
    }

    /// Returns the weights of each block at both scales.
    private func factors(_ weights: BlockWeights) -> [SIMD2<Float>] {
        stride(from: 0, to: weights.factors.count, by: 2).map { SIMD2(weights.factors[$0], weights.factors[$0 + 1]) }
    }

    @Test func errorsAreSeenWhereTheImageIsSmooth() throws {
        var generator = SeededGenerator(seed: 8)
        // Noise on the left, a faint texture on the right.
        let image = try PixelBuffer.make(width: 256, height: 128) { x, y in
            let range = x < 128 ? 60 : 4
            let value = UInt32(128 + Int.random(in: -range...range, using: &generator))
            return 0xFF00_0000 | value << 16 | value << 8 | value
        }
        let factors = factors(try weights(image))
        func mean(_ columns: Range<Int>) -> SIMD2<Float> {
            let blocks = (0..<16).flatMap { y in columns.map { y * 32 + $0 } }
            return blocks.reduce(SIMD2<Float>()) { $0 + factors[$1] } / Float(blocks.count)
        }
        // Blocks at the border between them are not used.
        #expect(mean(18..<32)[0] > 1.5 * mean(0..<14)[0])
        #expect(mean(18..<32)[1] > mean(0..<14)[1])
    }

    @Test func partsAddUpToOne() throws {
        let weights = try weights(.smooth(PixelSize(width: 100, height: 60)))
        #expect(factors(weights).count == 13 * 8)
        for k in 0..<64 {
            #expect(abs(weights.fine[k] + weights.coarse[k] - 1) < 1e-6)
            #expect(weights.fine[k] > 0 && weights.coarse[k] >= 0)
        }
        #expect(factors(weights).allSatisfy { $0[0] >= 0.124 && $0[0] <= 8.1 && $0[1] >= 0.124 && $0[1] <= 8.1 })
    }

    @Test(arguments: [0xFF00_0000, 0xFF80_8080, 0xFFFF_FFFF] as [UInt32])
    func imagesOfOneColorHaveWeightsToo(color: UInt32) throws {
        let weights = try weights(PixelBuffer(width: 24, height: 9, filledWith: color))
        #expect(factors(weights).allSatisfy { abs($0[0] - 1) < 1e-3 && abs($0[1] - 1) < 1e-3 })
    }
}
