/// Divides the colours of a histogram into boxes, one for each colour of a palette. Repeatedly cuts the box with the
/// largest spread, across the axis with the largest spread, at the position where the spread of both halves is smallest
/// (after X. Wu, "Efficient statistical computations for optimal color quantization", Graphics Gems II).
struct MedianCut {
    typealias Entry = ColorHistogram.Entry

    private struct Box {
        var range: Range<Int>
        var mean: SIMD4<Float>
        /// The weighted sum of squared distances from the mean, and the axis that contributes most.
        var spread: Double
        var axis: Int
        /// The range of values on that axis.
        var bounds: ClosedRange<Float>
    }

    /// Ordered so that the entries of a box are consecutive.
    private(set) var entries: [Entry]
    private var boxes: [Box]

    init(_ entries: [Entry]) {
        self.entries = entries
        boxes = entries.isEmpty ? [] : [Self.box(entries[...])]
    }

    var count: Int { boxes.count }
    var means: [SIMD4<Float>] { boxes.map(\.mean) }
    /// The index of the box of each of `entries`.
    var boxOfEntry: [Int] {
        var numbers = [Int](repeating: 0, count: entries.count)
        for (number, box) in boxes.enumerated() {
            for index in box.range { numbers[index] = number }
        }
        return numbers
    }
    /// The weighted sum of the squared distances of all entries from the mean of their box.
    var spread: Double { boxes.reduce(0) { $0 + $1.spread } }
    var largestSpread: Double { boxes.reduce(0) { max($0, $1.spread) } }

    /// Cuts the box with the largest spread. Does nothing if no box can be cut.
    mutating func cut() {
        guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }), boxes[widest].spread > 0
        else { return }
        let box = boxes[widest]
        let middle = partition(box)
        guard middle > box.range.lowerBound, middle < box.range.upperBound else { return boxes[widest].spread = 0 }
        boxes[widest] = Self.box(entries[box.range.lowerBound..<middle])
        boxes.append(Self.box(entries[middle..<box.range.upperBound]))
    }

    /// Reorders a box's entries so that those of the first half come first. Returns the start of the second half.
    private mutating func partition(_ box: Box) -> Int {
        let binCount = 256
        let (low, width) = (box.bounds.lowerBound, box.bounds.upperBound - box.bounds.lowerBound)
        let scale = width > 0 ? Float(binCount - 1) / width : 0
        func bin(_ entry: Entry) -> Int { Int((entry.point[box.axis] - low) * scale) }
        var (weights, sums) = (
            [Double](repeating: 0, count: binCount), [SIMD4<Double>](repeating: .zero, count: binCount)
        )
        for entry in entries[box.range] {
            let index = bin(entry)
            weights[index] += Double(entry.weight)
            sums[index] += SIMD4<Double>(entry.point) * Double(entry.weight)
        }
        let (allWeight, allSum) = (weights.reduce(0, +), sums.reduce(.zero, +))
        var (weight, sum) = (0.0, SIMD4<Double>.zero)
        var best = (gain: -Double.infinity, bin: 0)
        for index in 0..<(binCount - 1) {
            weight += weights[index]
            sum += sums[index]
            let other = allSum - sum
            guard weight > 0, allWeight - weight > 0, weights[index] > 0 else { continue }
            let gain = (sum * sum).sum() / weight + (other * other).sum() / (allWeight - weight)
            if gain > best.gain { best = (gain, index) }
        }
        return entries[box.range].partition { bin($0) > best.bin }
    }

    private static func box(_ entries: ArraySlice<Entry>) -> Box {
        var (weight, sum, squares) = (0.0, SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (low, high) = (SIMD4<Float>(repeating: .infinity), SIMD4<Float>(repeating: -.infinity))
        for entry in entries {
            let point = SIMD4<Double>(entry.point)
            weight += Double(entry.weight)
            sum += point * Double(entry.weight)
            squares += point * point * Double(entry.weight)
            low = pointwiseMin(low, entry.point)
            high = pointwiseMax(high, entry.point)
        }
        let mean = sum / weight
        let spreads = squares - sum * mean
        let axis = (0..<4).reduce(0) { spreads[$1] > spreads[$0] ? $1 : $0 }
        let isOne = entries.count == 1
        return Box(
            range: entries.indices, mean: SIMD4<Float>(mean), spread: isOne ? 0 : max(0, spreads.sum()), axis: axis,
            bounds: low[axis]...high[axis])
    }
}
