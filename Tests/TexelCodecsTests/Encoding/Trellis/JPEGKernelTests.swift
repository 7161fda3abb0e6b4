import CPixelKernels
import Foundation
import TestSupport
import Testing

@testable import TexelCodecs
@testable import TexelJPEG

/// Compares every JPEG kernel at every CPU level of this machine with its scalar reference, word for word.
@Suite struct JPEGKernelTests {
    /// Returns consecutive blocks of samples, -180…180: noise, extremes with the signs of a frequency, uniform blocks.
    private static func blocks(using generator: inout SeededGenerator) -> [Int16] {
        var blocks: [Int16] = []
        for _ in 0..<20 { blocks += (0..<64).map { _ in Int16.random(in: -128...127, using: &generator) } }
        for _ in 0..<20 { blocks += (0..<64).map { _ in [-180, 180].randomElement(using: &generator) ?? 0 } }
        for value in [-180, -128, 0, 1, 127, 180] as [Int16] { blocks += Array(repeating: value, count: 64) }
        // The blocks that maximise each coefficient.
        for place in 0..<64 { blocks += (0..<64).map { waves(place, $0) < 0 ? -180 : 180 } }
        return blocks
    }

    /// Returns the value of a coefficient's basis function at a sample.
    private static func waves(_ coefficient: Int, _ sample: Int) -> Double {
        func wave(_ frequency: Int, _ sample: Int) -> Double {
            cos(Double((2 * sample + 1) * frequency) * .pi / 16) * (frequency == 0 ? 0.125.squareRoot() : 0.5)
        }
        return wave(coefficient % 8, sample % 8) * wave(coefficient / 8, sample / 8)
    }

    @Test(arguments: PNGKernelTests.Level.all, [0, 4, 6])
    func forwardTransformEqualsTheScalarForm(level: PNGKernelTests.Level, fractionBits: Int) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 77)
        let unit = Int16(1) << Int16(fractionBits)
        let samples = Self.blocks(using: &generator).map { sample in
            let fraction = abs(sample) < 180 ? Int16.random(in: 0..<unit, using: &generator) : 0
            return sample * unit + fraction
        }
        var results = samples
        results.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { kernels.forward_dct(base, buffer.count / 64, Int32(fractionBits)) }
        }
        for start in stride(from: 0, to: samples.count, by: 64) {
            let block = Array(samples[start..<(start + 64)])
            let result = Array(results[start..<(start + 64)])
            #expect(
                result == ScalarJPEGKernels.forwardTransform(block, fractionBits: fractionBits), "block \(start / 64)")
            for place in 0..<64 {
                let exact = (0..<64).reduce(0.0) { $0 + Double(block[$1]) * Self.waves(place, $1) }
                #expect(
                    abs(Double(result[place]) / 16 - exact / Double(unit)) < 0.126,
                    "block \(start / 64), place \(place)")
            }
        }
    }

    @Test(arguments: PNGKernelTests.Level.all) func cutBlocksEqualTheScalarForm(level: PNGKernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 78)
        for count in [1, 2, 3, 17] {
            let rows = (0..<(count * 64)).map { _ in Int16.random(in: .min ... .max, using: &generator) }
            var result = [Int16](repeating: 12345, count: count * 64 + 1)
            kernels.cut_blocks(&result, rows, count)
            #expect(result == ScalarJPEGKernels.cut(rows) + [12345], "\(count) blocks")
        }
    }

    @Test(arguments: PNGKernelTests.Level.all) func pixelsBecomeWords(level: PNGKernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 80)
        for width in [1, 2, 15, 16, 17, 31, 33, 100] {
            // At an odd address; includes black and white, with any alpha.
            var row = [UInt8].random(count: 1 + width * 4, using: &generator)
            for place in row.indices.dropFirst() where Bool.random(using: &generator) {
                row[place] = place % 2 == 0 ? 0 : 255
            }
            for (factors, offset) in [([3736, 19235, 9797], -128 << 15), ([16384, -10855, -5529], 0)]
                as [([Int16], Int32)]
            {
                for fractionBits in [0, 1, 4] {
                    var result = [Int16](repeating: 12345, count: width + 1)
                    row.withUnsafeBufferPointer { row in
                        guard let base = row.baseAddress else { return }
                        kernels.bgra_to_words_row(&result, base + 1, width, factors, offset, Int32(fractionBits))
                    }
                    let expected = ScalarJPEGKernels.words(
                        Array(row.dropFirst()), factors: factors, offset: Int(offset), fractionBits: fractionBits)
                    #expect(result == expected + [12345], "width \(width), \(fractionBits) fraction bits")
                }
            }
        }
    }

    @Test(arguments: PNGKernelTests.Level.all)
    func quantizedBlocksEqualTheScalarForm(level: PNGKernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 79)
        for round in 0..<400 {
            let largestStep = [1, 40, 300, 8160][round % 4]
            let steps = (0..<64).map { _ in UInt16.random(in: 1...UInt16(largestStep), using: &generator) }
            var coefficients = (0..<64).map { _ in Int16.random(in: -32767...32767, using: &generator) }
            // Values at and just below a rounding boundary.
            for place in 0..<32 {
                let times = Int.random(in: 0...(32767 / Int(steps[place])), using: &generator)
                let value = times * Int(steps[place]) - Int(steps[place]) / 2 - place % 2
                coefficients[place] = Int16(clamping: place % 4 < 2 ? value : -value)
            }
            var result = [Int16](repeating: 0, count: 64)
            kernels.quantize_block(&result, coefficients, steps)
            let expected = ScalarJPEGKernels.quantize(coefficients, steps: steps)
            #expect(result == expected, "steps up to \(largestStep)")
        }
    }
}
