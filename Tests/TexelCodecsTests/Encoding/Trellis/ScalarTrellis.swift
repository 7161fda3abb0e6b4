@testable import TexelJPEG

/// Reference implementations of the kernels that choose quantised coefficients, written for clarity.
///
/// Floats are computed in the same order as in the kernels, so that results can be compared exactly.
struct ScalarTrellis {
    var inverses: [Float]
    var fine: [Float]
    var coarse: [Float]
    var perSquare: Float
    var first: Int
    var symbols: [Float]
    var end: Float
    var emptyEnd: Float
    var alone: [Float]

    var leastRates: [Float] {
        (0..<12).map { category in
            (0..<256).filter { $0 & 15 == category || $0 & 15 == category - 1 }.map { symbols[$0] }.min() ?? 0
        }
    }

    static func category(_ value: Int) -> Int { Int.bitWidth - value.magnitude.leadingZeroBitCount }

    /// A coefficient that may be nonzero, with the best path that ends there.
    private struct Candidate {
        var k: Int
        var value = 0
        var cost: Float = 0
        var previous = 0
    }

    /// Quantises the AC coefficients of a block: tries every path.
    func quantized(_ block: [Int16], _ weights: SIMD2<Float>) -> [Int16] {
        let (finePrice, coarsePrice) = (weights[0] * perSquare, weights[1] * perSquare)
        let words = Zigzag.places.map { block[$0] }
        let magnitudes = (0..<64).map { Float(words[$0].magnitude) * inverses[$0] }
        let weights = (0..<64).map { fine[$0] * finePrice + coarse[$0] * coarsePrice }
        let nearest = magnitudes.map { min(Int($0 + 0.5), 1023) }
        var result = [Int](repeating: 0, count: 64)

        func cost(_ k: Int, _ value: Int) -> Float {
            let error = magnitudes[k] - Float(value)
            return error * error * weights[k]
        }
        for k in 1..<first where magnitudes[k] >= 0.5 {
            let values = [0, nearest[k] - 1, nearest[k]]
            let costs = values.map { cost(k, $0) + alone[(k - 1) * 12 + Self.category($0)] }
            result[k] = values[costs.firstIndex(of: costs.min() ?? 0) ?? 0]
        }

        // The cost of setting all coefficients before each one to zero.
        var zero = [Float](repeating: 0, count: 65)
        for k in first..<64 { zero[k + 1] = zero[k] + magnitudes[k] * magnitudes[k] * weights[k] }
        var candidates = [Candidate(k: first - 1)]
        for k in first..<64 where magnitudes[k] >= 0.5 {
            var best = Candidate(k: k, cost: .infinity)
            for (index, previous) in candidates.enumerated().reversed() {
                let run = k - previous.k - 1
                let start = previous.cost + zero[k] + (run > 15 ? Float(run / 16) * symbols[0xF0] : 0)
                for value in [nearest[k], nearest[k] - 1] where value > 0 {
                    let error = magnitudes[k] - Float(nearest[k])
                    let squared = value == nearest[k] ? error * error : (error + 1) * (error + 1)
                    let cost = start + squared * weights[k] + symbols[run % 16 * 16 + Self.category(value)]
                    if cost < best.cost { best = Candidate(k: k, value: value, cost: cost, previous: index) }
                }
            }
            best.cost -= zero[k + 1]
            candidates.append(best)
        }
        var (best, bestCost) = (0, zero[64] + emptyEnd)
        for (index, candidate) in candidates.enumerated().dropFirst() {
            let cost = candidate.cost + zero[64] + (candidate.k < 63 ? end : 0)
            if cost < bestCost { (best, bestCost) = (index, cost) }
        }
        while best > 0 {
            result[candidates[best].k] = candidates[best].value
            best = candidates[best].previous
        }

        var quantized = block
        for k in 1..<64 { quantized[Zigzag.places[k]] = Int16(words[k] < 0 ? -result[k] : result[k]) }
        return quantized
    }

    /// Quantises DC coefficients: keeps the best path to each choice.
    static func means(_ values: [Int16], before: Int, inverse: Float, perSquare: Float, rates: [Float]) -> [Int16] {
        var paths: [(cost: Float, values: [Int])] = [(0, [before])]
        for value in values {
            let mean = Float(value) * inverse
            let nearest = Int((mean + 0.5).rounded(.down))
            paths = (-1...1).map { offset in
                let choice = min(max(nearest + offset, -1023), 1023)
                let costs = paths.map { $0.cost + rates[category(choice - ($0.values.last ?? 0))] }
                let index = costs.firstIndex(of: costs.min() ?? 0) ?? 0
                let error = mean - Float(choice)
                return (costs[index] + error * error * perSquare, paths[index].values + [choice])
            }
        }
        let best = paths.map(\.cost).min() ?? 0
        return (paths.first { $0.cost == best }?.values ?? []).dropFirst().map { Int16($0) }
    }

    /// Returns the masks of the coefficients whose magnitudes are at least 1, 2, 4 and 8.
    static func masks(_ block: [Int16]) -> [UInt64] {
        [1, 2, 4, 8].map { least in
            (1..<64).reduce(0) { $0 | (block[Zigzag.places[$1]].magnitude >= least ? 1 << UInt64($1) : 0) }
        }
    }

    /// Returns the squared rounding errors of each column, in the order of the rows.
    static func roundingErrors(_ block: [Int16], _ quantized: [Int16], _ steps: [Float]) -> [Float] {
        (0..<8).map { column in
            stride(from: column, to: 64, by: 8).reduce(0) { sum, place in
                let error = Float(block[place]) / 16 - Float(quantized[place]) * steps[place]
                return sum + error * error
            }
        }
    }

    /// Returns the four sums of each column over the AC coefficients.
    static func maskingSums(_ block: [Int16], _ quantized: [Int16], _ steps: [Float], _ response: [Float]) -> [Float] {
        var sums = [Float](repeating: 0, count: 32)
        for place in 1..<64 {
            let (row, column) = (place / 8, place % 8)
            let (before, after) = (Float(block[place]) / 16, Float(quantized[place]) * steps[place])
            let (error, square) = ((before - after) * (before - after), before * before + after * after)
            sums[column] += error
            sums[8 + column] += square
            sums[16 + column] += error * response[column] * response[row]
            sums[24 + column] += square * response[column] * response[row]
        }
        return sums
    }

    /// Returns the squared errors of a row of chroma that is interpolated from two rows of half the width.
    static func chromaLosses(_ original: [Int16], near: [Int16], far: [Int16]) -> [Int32] {
        original.indices.map { x in
            func column(_ x: Int) -> Int {
                let place = min(max(x, 0), near.count - 1)
                return 3 * Int(near[place]) + Int(far[place])
            }
            let interpolated = (3 * column(x / 2) + column(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1)) >> 4
            let loss = (Int(original[x]) * 4 - interpolated) >> 2
            return Int32(loss * loss)
        }
    }
}
