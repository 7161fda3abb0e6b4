import TestSupport
import Testing

@testable import TexelCodecs
@testable import TexelJPEG

/// The chosen paths have the minimum cost.
@Suite struct TrellisTests {
    private let table = QuantizationTable(steps: (0..<64).map { UInt16(3 + $0 % 5) })

    private func rates(first: Int, using generator: inout SeededGenerator) -> CoefficientRates {
        var counts = CoefficientCounts(first: first)
        for symbol in 0..<256 { counts.symbols[symbol] = Int.random(in: 0...300, using: &generator) }
        for place in counts.alone.indices {
            for category in 0..<12 { counts.alone[place][category] = Int.random(in: 0...90, using: &generator) }
        }
        counts.blocks = 60
        counts.emptyBlocks = Int.random(in: 0...50, using: &generator)
        return CoefficientRates(counts)
    }

    /// Returns the number of bits of a block's coefficients, in zigzag order.
    private func bits(_ values: [Int], _ rates: CoefficientRates) -> Double {
        var bits = (1..<rates.first).reduce(0.0) { $0 + Double(rates.alone[($1 - 1) * 12 + category(values[$1])]) }
        guard let last = values.lastIndex(where: { $0 != 0 }), last >= rates.first else {
            return bits + Double(rates.emptyEnd)
        }
        if last < 63 { bits += Double(rates.end) }
        var run = 0
        for k in rates.first...last {
            guard values[k] != 0 else {
                run += 1
                continue
            }
            bits += Double(run / 16) * Double(rates.symbols[0xF0])
            bits += Double(rates.symbols[run % 16 * 16 + category(values[k])])
            run = 0
        }
        return bits
    }

    private func category(_ value: Int) -> Int { Int.bitWidth - value.magnitude.leadingZeroBitCount }

    private func cost(
        _ values: [Int], _ frequencies: [Int16], _ rates: CoefficientRates, _ weights: BlockWeights, price: Double
    ) -> Double {
        var cost = price * bits(values, rates)
        for k in 1..<64 {
            let place = Zigzag.places[k]
            let exact = Double(frequencies[place]) / Double(table.steps[place]) / Double(ForwardTransform.scale)
            // Those of the second block.
            let (fine, coarse) = (weights.factors[2], weights.factors[3])
            let weight = Double(weights.fine[k] * fine + weights.coarse[k] * coarse)
            cost += weight * (exact - Double(values[k])) * (exact - Double(values[k]))
        }
        return cost
    }

    @Test(arguments: [1, 3]) func blocksCostLeast(first: Int) throws {
        var generator = SeededGenerator(seed: 41)
        for round in 0..<300 {
            let rates = rates(first: first, using: &generator)
            func random() -> [Float] { (0..<64).map { _ in Float.random(in: 0.2...1.2, using: &generator) } }
            // The second block's factors are used.
            let weights = BlockWeights(factors: [9, 9, 0.7, 1.4], fine: random(), coarse: random())
            let price = Float.random(in: 0.01...0.5, using: &generator)
            // Up to seven coefficients that can be nonzero, anywhere; the others round to zero.
            var frequencies = (0..<64).map { Int16(Int.random(in: -7...7, using: &generator) * Int(table.steps[$0])) }
            let places = Array((1..<64).shuffled(using: &generator).prefix(round % 7)) + (round % 2 == 0 ? [] : [1])
            for k in Set(places) {
                let place = Zigzag.places[k]
                let steps = Double.random(in: 0.6...3.4, using: &generator)
                let magnitude = Int16(steps * 16 * Double(table.steps[place]))
                frequencies[place] = Bool.random(using: &generator) ? magnitude : -magnitude
            }
            frequencies[0] = 1000
            var result = frequencies
            TrellisQuantizer(table, weights, rates, price: price).quantize(&result, count: 1, first: 1)
            #expect(result[0] == 1000, "the mean is another's")
            let found = [0] + Zigzag.places.dropFirst().map { Int(result[$0]) }
            var least = Double.infinity
            // Each becomes the nearest value, the next smaller one, or zero.
            for choice in 0..<pow3(places.count) {
                var (rest, values) = (choice, [Int](repeating: 0, count: 64))
                for k in places {
                    let (place, step) = (Zigzag.places[k], Int(table.steps[Zigzag.places[k]]))
                    let nearest = (Int(frequencies[place].magnitude) + 8 * step) / 16 / step
                    let magnitude = [0, nearest, nearest - 1][rest % 3]
                    values[k] = frequencies[place] < 0 ? -magnitude : magnitude
                    rest /= 3
                }
                least = min(least, cost(values, frequencies, rates, weights, price: Double(price)))
            }
            let own = cost(found, frequencies, rates, weights, price: Double(price))
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
            var result = frequencies
            DCTrellisQuantizer(table, counts, price: price).quantize(&result, count: count, before: before)

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
        let rates = rates(first: 3, using: &generator)
        for value in [-28_672, 28_672] as [Int16] {
            var result = [Int16](repeating: value, count: 128)
            TrellisQuantizer(finest, nil, rates, price: 0.01).quantize(&result, count: 2, first: 0)
            DCTrellisQuantizer(finest, Array(repeating: 1, count: 12), price: 0.1).quantize(
                &result, count: 2, before: 0)
            #expect(result.allSatisfy { abs(Int($0)) <= 1023 && ($0 < 0) == (value < 0) })
            #expect(abs(Int(result[1])) >= 1022)
        }
    }
}
