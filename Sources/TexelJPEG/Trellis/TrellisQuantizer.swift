import TexelCodecs

/// Quantises a block's AC coefficients to minimise the weighted sum of squared errors and bits. Each coefficient
/// becomes the nearest value, the next smaller one, or zero; the best path in zigzag order is chosen.
///
/// After Crouse and Ramchandran, "Joint thresholding and quantizer selection for transform image coding", IEEE
/// Transactions on Image Processing 6 (1997).
struct TrellisQuantizer: Sendable {
    private let rates: CoefficientRates
    /// The inverse steps in zigzag order, in the scale of the forward transform.
    private let inverses: [Float]
    /// The weights of errors; `nil` if all are equal.
    private let weights: BlockWeights?
    private let uniform: [Float]
    /// The cost in bits of a squared error of one step.
    private let perSquare: Float

    /// - Parameter price: the cost of a bit, as a squared error in steps.
    init(_ table: QuantizationTable, _ weights: BlockWeights?, _ rates: CoefficientRates, price: Float) {
        self.rates = rates
        self.weights = weights
        inverses = Zigzag.places.map { 1 / Float(Int(table.steps[$0]) * ForwardTransform.scale) }
        uniform = Array(repeating: 1, count: 64)
        perSquare = 1 / price
    }

    /// Quantises a row of blocks in place, except their DC coefficients.
    ///
    /// - Parameter first: the index of the row's first block in the component.
    func quantize(_ blocks: UnsafeMutablePointer<Int16>, count: Int, first: Int) {
        withUnsafeTemporaryAllocation(of: Candidate.self, capacity: 64) { candidates in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 64) { frequencies in
                inverses.withUnsafeBufferPointer { inverses in
                    (weights?.fine ?? uniform).withUnsafeBufferPointer { fine in
                        (weights?.coarse ?? uniform).withUnsafeBufferPointer { coarse in
                            rates.symbols.withUnsafeBufferPointer { symbols in
                                // All arrays have 64 elements, and `symbols` has 256: the loops stay inside.
                                guard let inverses = inverses.baseAddress, let fine = fine.baseAddress,
                                    let coarse = coarse.baseAddress, let symbols = symbols.baseAddress,
                                    let frequencies = frequencies.baseAddress, let candidates = candidates.baseAddress
                                else { return }
                                let loops = Loops(
                                    inverses: inverses, fine: fine, coarse: coarse, symbols: symbols, rates: rates,
                                    frequencies: frequencies, candidates: candidates)
                                for block in 0..<count {
                                    let factors = weights?.factors[first + block] ?? SIMD2(1, 0)
                                    loops.quantize(blocks + block * 64, perSquare: factors * perSquare)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// A coefficient that can be nonzero. Costs are in bits.
    fileprivate struct Candidate {
        var place: Int
        /// The cost of setting all coefficients before it to zero.
        var droppedBefore: Float
        /// The cost of setting all coefficients up to it to zero.
        var dropped: Float
        /// The error's cost for the nearest value, and for the next smaller one.
        var near: Float
        var smaller: Float
        var value: Int
        /// The cost of the best path that ends here, less `dropped`, and the previous candidate on that path.
        var cost: Float
        var previous: Int
    }
}

/// The loops over the coefficients of one block.
private struct Loops {
    let inverses: UnsafePointer<Float>
    let fine: UnsafePointer<Float>
    let coarse: UnsafePointer<Float>
    let symbols: UnsafePointer<Float>
    let rates: CoefficientRates
    /// A copy of the unquantised block.
    let frequencies: UnsafeMutablePointer<Int16>
    /// The candidates; the first stands for the start of the block.
    let candidates: UnsafeMutablePointer<TrellisQuantizer.Candidate>

    /// - Parameter perSquare: the cost in bits of a squared error of one step, at each scale.
    @inline(__always) func quantize(_ block: UnsafeMutablePointer<Int16>, perSquare: SIMD2<Float>) {
        frequencies.update(from: block, count: 64)
        let count = findCandidates(perSquare: perSquare)
        for place in 1..<64 { block[place] = 0 }
        for k in 1..<rates.first { block[Int(ZigzagPlaces.bytes[k])] = alone(k, perSquare: perSquare) }
        guard count > 1 else { return }
        for index in 1..<count { findWay(to: index) }
        // Choose the last nonzero coefficient; the candidates after it are set to zero.
        let dropped = candidates[count - 1].dropped
        var (best, bestCost) = (0, dropped + rates.emptyEnd)
        for index in 1..<count {
            let cost = candidates[index].cost + dropped + (candidates[index].place < 63 ? rates.end : 0)
            if cost < bestCost { (best, bestCost) = (index, cost) }
        }
        let places = ZigzagPlaces.bytes
        while best > 0 {
            let place = Int(places[candidates[best].place])
            let value = Int16(truncatingIfNeeded: candidates[best].value)
            block[place] = frequencies[place] < 0 ? -value : value
            best = candidates[best].previous
        }
    }

    @inline(__always) private func weight(_ k: Int, _ perSquare: SIMD2<Float>) -> Float {
        fine[k] * perSquare[0] + coarse[k] * perSquare[1]
    }

    /// Quantises a coefficient that has a scan of its own.
    @inline(__always) private func alone(_ k: Int, perSquare: SIMD2<Float>) -> Int16 {
        let place = Int(ZigzagPlaces.bytes[k])
        let magnitude = Float(frequencies[place].magnitude) * inverses[k]
        guard magnitude >= 0.5 else { return 0 }
        let weight = weight(k, perSquare)
        let nearest = min(Int(magnitude + 0.5), RoundingQuantizer.largest)
        var (best, bestCost) = (0, Float.infinity)
        for value in [0, nearest - 1, nearest] {
            let error = magnitude - Float(value)
            let cost = error * error * weight + rates.alone[k - 1][Self.category(value)]
            if cost < bestCost { (best, bestCost) = (value, cost) }
        }
        return Int16(truncatingIfNeeded: frequencies[place] < 0 ? -best : best)
    }

    /// Finds the candidates; returns their number, including the start of the block.
    @inline(__always) private func findCandidates(perSquare: SIMD2<Float>) -> Int {
        let places = ZigzagPlaces.bytes
        candidates[0] = .init(
            place: rates.first - 1, droppedBefore: 0, dropped: 0, near: 0, smaller: 0, value: 0, cost: 0, previous: 0)
        var count = 1
        var dropped: Float = 0
        for k in rates.first..<64 {
            let magnitude = Float(frequencies[Int(places[k])].magnitude) * inverses[k]
            let weight = weight(k, perSquare)
            let before = dropped
            dropped += magnitude * magnitude * weight
            guard magnitude >= 0.5 else { continue }
            let value = min(Int(magnitude + 0.5), RoundingQuantizer.largest)
            let error = magnitude - Float(value)
            candidates[count] = .init(
                place: k, droppedBefore: before, dropped: dropped, near: error * error * weight,
                smaller: (error + 1) * (error + 1) * weight, value: value, cost: 0, previous: 0)
            count += 1
        }
        return count
    }

    @inline(__always) private static func category(_ value: Int) -> Int {
        Int.bitWidth - value.leadingZeroBitCount
    }

    @inline(__always) private func findWay(to index: Int) {
        let candidate = candidates[index]
        let near = symbols + Self.category(candidate.value)
        let smaller = symbols + Self.category(candidate.value - 1)
        var (best, previous, value) = (Float.infinity, 0, candidate.value)
        for before in (0..<index).reversed() {
            let run = candidate.place - candidates[before].place - 1
            var start = candidates[before].cost + candidate.droppedBefore
            // Sixteen zeros are a symbol of their own (ZRL).
            if run > 15 { start += Float(run >> 4) * symbols[0xF0] }
            guard start < best else { continue }
            let symbol = (run & 15) << 4
            let nearCost = start + candidate.near + near[symbol]
            if nearCost < best { (best, previous, value) = (nearCost, before, candidate.value) }
            guard candidate.value > 1 else { continue }
            let smallerCost = start + candidate.smaller + smaller[symbol]
            if smallerCost < best { (best, previous, value) = (smallerCost, before, candidate.value - 1) }
        }
        candidates[index].cost = best - candidate.dropped
        candidates[index].previous = previous
        candidates[index].value = value
    }
}
