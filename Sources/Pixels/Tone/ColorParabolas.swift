import CPixelKernels

extension texel_color_parabolas {
    /// The number of values of a piece.
    private static let pieceLength = 1024
    /// The largest distance from the function, in values: an eighth of an 8-bit step.
    private static let tolerance = 8.0

    /// A parabola over the place in a piece, which is 1 long.
    private struct Parabola {
        var constant = 0.0
        var linear = 0.0
        var square = 0.0

        /// The parabola through the first value of a part of a piece, one in its middle and its last one.
        init(through values: [Double], _ part: Range<Int>, piece: Int) {
            let (first, last) = (part.lowerBound, part.upperBound - 1)
            let middle = (first + last) / 2
            func place(_ index: Int) -> Double { Double(index - piece) / Double(pieceLength) }
            let (a, b, c) = (place(first), place(middle), place(last))
            if first < last { linear = (values[last] - values[first]) / (c - a) }
            if first < middle, middle < last {
                let start = (values[middle] - values[first]) / (b - a)
                square = ((values[last] - values[middle]) / (c - b) - start) / (c - a)
                linear = start - square * (a + b)
            }
            constant = values[first] - (linear + square * a) * a
        }

        /// The largest distance from values of the piece.
        func error(_ values: [Double], _ part: Range<Int>, piece: Int) -> Double {
            part.reduce(0) { largest, index in
                let place = Double(index - piece) / Double(pieceLength)
                return max(largest, abs((square * place + linear) * place + constant - values[index]))
            }
        }
    }

    /// Approximates a function; `nil` if that is not possible within an eighth of an 8-bit step.
    ///
    /// A piece in which one parabola is not enough is broken where the function bends most, so that functions made of
    /// lines and steps are represented as well as smooth ones.
    ///
    /// - Parameter values: the results for the values from 0 to `texel_color_white`.
    init?(approximating values: [Double]) {
        self.init()
        for (number, start) in stride(from: 0, to: values.count, by: Self.pieceLength).enumerated() {
            let end = min(start + Self.pieceLength, values.count)
            let whole = Parabola(through: values, start..<end, piece: start)
            var best = (error: whole.error(values, start..<end, piece: start), end: end, first: whole, second: whole)
            for place in best.error > Self.tolerance / 2 ? Self.breaks(values, start..<end) : [] {
                let first = Parabola(through: values, start..<place, piece: start)
                let second = Parabola(through: values, place..<end, piece: start)
                let error = max(
                    first.error(values, start..<place, piece: start), second.error(values, place..<end, piece: start))
                if error < best.error { best = (error, place, first, second) }
            }
            guard set(number, breaking: best.end, best.first, best.second),
                (start..<end).allSatisfy({ abs(Double(value(at: $0, piece: number)) - values[$0]) <= Self.tolerance })
            else { return nil }
        }
    }

    /// The places in a piece where a second parabola may begin.
    private static func breaks(_ values: [Double], _ piece: Range<Int>) -> [Int] {
        func bend(_ index: Int) -> Double { abs(values[index - 1] - 2 * values[index] + values[index + 1]) }
        guard let sharpest = piece.dropFirst().dropLast().max(by: { bend($0) < bend($1) }) else { return [] }
        // After a step, the second parabola begins one value after the bend. The quarter is for functions that are
        // steep at black.
        return [sharpest, sharpest + 1, piece.lowerBound + piece.count / 4]
    }

    /// Stores the parabolas of a piece; returns whether they have room.
    private mutating func set(_ piece: Int, breaking place: Int, _ first: Parabola, _ second: Parabola) -> Bool {
        for (side, parabola) in [first, second].enumerated() {
            let numbers = [parabola.constant, parabola.linear, parabola.square].map { $0.rounded() }
            guard abs(numbers[0]) <= 32_767, abs(numbers[1]) + abs(numbers[2]) <= 32_767 else { return false }
            withUnsafeMutableBytes(of: &coefficients) { bytes in
                let table = bytes.bindMemory(to: Int16.self)
                for (power, number) in numbers.enumerated() { table[(side * 3 + power) * 16 + piece] = Int16(number) }
            }
        }
        withUnsafeMutableBytes(of: &breaks) { $0.bindMemory(to: Int16.self)[piece] = Int16(place) }
        return true
    }

    /// Returns the kernel's result for a value in a piece.
    private func value(at index: Int, piece: Int) -> Int {
        let isSecond = withUnsafeBytes(of: breaks) { index >= Int($0.bindMemory(to: Int16.self)[piece]) }
        let numbers = withUnsafeBytes(of: coefficients) { bytes in
            let table = bytes.bindMemory(to: Int16.self)
            return (0..<3).map { Int(table[((isSecond ? 3 : 0) + $0) * 16 + piece]) }
        }
        let place = (index % Self.pieceLength) << 5
        func product(_ factor: Int) -> Int { (place * factor + (1 << 14)) >> 15 }
        return numbers[0] + product(numbers[1] + product(numbers[2]))
    }
}
