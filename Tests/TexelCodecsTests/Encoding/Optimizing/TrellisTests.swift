import TestSupport
import Testing

@testable import TexelCodecs

/// The ways that are found cost no more than any other.
@Suite struct TrellisTests {
    private let table = QuantizationTable(steps: (0..<64).map { UInt16(3 + $0 % 5) })

    private func rates(using generator: inout SeededGenerator) -> CoefficientRates {
        let counts = (0..<256).map { _ in Int.random(in: 0...300, using: &generator) }
        return CoefficientRates(counts, emptyBlocks: Int.random(in: 0...50, using: &generator), blockCount: 60)
    }

    /// Bits of a block's coefficients, in zigzag order.
    private func bits(_ values: [Int], _ rates: CoefficientRates) -> Double {
        guard let last = values.lastIndex(where: { $0 != 0 }) else { return Double(rates.emptyEnd) }
        var (bits, run) = (last < 63 ? Double(rates.end) : 0, 0)
        for k in 1...last {
            guard values[k] != 0 else {
                run += 1
                continue
            }
            bits += Double(run / 16) * Double(rates.symbols[0xF0])
            bits += Double(rates.symbols[run % 16 * 16 + Int.bitWidth - values[k].magnitude.leadingZeroBitCount])
            run = 0
        }
        return bits
    }

    private func cost(
        _ values: [Int], _ frequencies: [Int16], _ rates: CoefficientRates, weights: [Float], price: Double
    ) -> Double {
        var cost = price * bits(values, rates)
        for k in 1..<64 {
            let place = Zigzag.places[k]
            let exact = Double(frequencies[place]) / Double(table.steps[place]) / Double(ForwardTransform.scale)
            cost += Double(weights[place]) * (exact - Double(values[k])) * (exact - Double(values[k]))
        }
        return cost
    }

    @Test func blocksCostLeast() throws {
        var generator = SeededGenerator(seed: 41)
        for round in 0..<300 {
            let rates = rates(using: &generator)
            let weights = (0..<64).map { _ in Float.random(in: 0.5...2, using: &generator) }
            let price = Float.random(in: 0.01...0.5, using: &generator)
            // Seven coefficients that need not be zero, anywhere; the others round to zero.
            var frequencies = (0..<64).map { Int16(Int.random(in: -7...7, using: &generator) * Int(table.steps[$0])) }
            let places = Array((1..<64).shuffled(using: &generator).prefix(round % 8))
            for k in places {
                let place = Zigzag.places[k]
                let steps = Double.random(in: 0.6...3.4, using: &generator)
                let magnitude = Int16(steps * 16 * Double(table.steps[place]))
                frequencies[place] = Bool.random(using: &generator) ? magnitude : -magnitude
            }
            frequencies[0] = 1000
            var result = [Int16](repeating: 77, count: 64)
            TrellisQuantizer(table, weights: weights, rates).quantize(frequencies, into: &result, count: 1) { _ in price
            }
            #expect(result[0] == 77, "the mean is another's")
            let found = [0] + Zigzag.places.dropFirst().map { Int(result[$0]) }
            var least = Double.infinity
            // Each the nearest value, the next smaller one, or zero.
            for choice in 0..<Int(pow3(places.count)) {
                var (rest, values) = (choice, [Int](repeating: 0, count: 64))
                for k in places {
                    let place = Zigzag.places[k]
                    let nearest =
                        (Int(frequencies[place].magnitude) + 8 * Int(table.steps[place])) / 16 / Int(table.steps[place])
                    let magnitude = [0, nearest, nearest - 1][rest % 3]
                    values[k] = frequencies[place] < 0 ? -magnitude : magnitude
                    rest /= 3
                }
                least = min(least, cost(values, frequencies, rates, weights: weights, price: Double(price)))
            }
            let own = cost(found, frequencies, rates, weights: weights, price: Double(price))
            #expect(own <= least + 1e-3, "round \(round)")
        }
    }

    private func pow3(_ count: Int) -> Int { (0..<count).reduce(1) { product, _ in product * 3 } }

    @Test func rowsOfMeansCostLeast() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<100 {
            let count = Int.random(in: 1...6, using: &generator)
            let counts = (0..<12).map { _ in Int.random(in: 0...100, using: &generator) }
            let price = Float.random(in: 0.01...0.5, using: &generator)
            let before = Int.random(in: -20...20, using: &generator)
            var frequencies = [Int16](repeating: 0, count: count * 64)
            for block in 0..<count { frequencies[block * 64] = Int16.random(in: -900...900, using: &generator) }
            var result = [Int16](repeating: 0, count: count * 64)
            MeansTrellis(table, counts, price: price).quantize(frequencies, into: &result, count: count, before: before)

            let total = Double(counts.reduce(0, +) + 6)
            func cost(_ values: [Int]) -> Double {
                var (cost, last) = (0.0, before)
                for (block, value) in values.enumerated() {
                    let exact = Double(frequencies[block * 64]) / Double(table.steps[0]) / 16
                    let category = Int.bitWidth - (value - last).magnitude.leadingZeroBitCount
                    let probability = (Double(counts[category]) + 0.5) / total
                    cost += (exact - Double(value)) * (exact - Double(value))
                    cost += Double(price) * (Double(category) - BinaryLogarithm.logarithm(probability))
                    last = value
                }
                return cost
            }
            let least =
                (0..<pow3(count)).map { choice -> Double in
                    var rest = choice
                    return cost(
                        (0..<count).map { block in
                            defer { rest /= 3 }
                            let exact = Double(frequencies[block * 64]) / Double(table.steps[0]) / 16
                            return Int(exact.rounded()) + rest % 3 - 1
                        })
                }.min() ?? 0
            #expect(cost((0..<count).map { Int(result[$0 * 64]) }) <= least + 1e-3)
        }
    }

    @Test func magnitudesStayInRange() {
        let finest = QuantizationTable(steps: Array(repeating: 1, count: 64))
        var generator = SeededGenerator(seed: 43)
        let rates = rates(using: &generator)
        for value in [-23_040, 23_040] as [Int16] {
            let frequencies = [Int16](repeating: value, count: 128)
            var result = [Int16](repeating: 0, count: 128)
            TrellisQuantizer(finest, weights: Array(repeating: 1, count: 64), rates)
                .quantize(frequencies, into: &result, count: 2) { _ in 0.01 }
            MeansTrellis(finest, Array(repeating: 1, count: 12), price: 0.1)
                .quantize(frequencies, into: &result, count: 2, before: 0)
            #expect(result.allSatisfy { abs(Int($0)) <= 1023 && ($0 < 0) == (value < 0) })
            #expect(abs(Int(result[1])) >= 1022)
        }
    }
}
