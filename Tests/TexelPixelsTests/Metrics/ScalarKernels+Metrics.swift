import CPixelKernels
import TestSupport

@testable import TexelPixels

extension ScalarKernels {
    // The metrics. Sums are formed in sixteen lanes, which are added at the end: the upper half to the lower until one
    // is left.

    static func halve(_ upper: [Float], _ lower: [Float]) -> [Float] {
        stride(from: 0, to: upper.count, by: 2).map { x in
            let next = min(x + 1, upper.count - 1)
            return (upper[x] + upper[next] + lower[x] + lower[next]) * 0.25
        }
    }

    /// X, Y and B, offset and scaled to 0…1, with luma subtracted from B.
    static func xyb(red: Float, green: Float, blue: Float) -> (x: Float, y: Float, b: Float) {
        let bias: Float = 0.0037930732552754493
        func root(_ r: Float, _ g: Float, _ b: Float) -> Float {
            cubeRoot(r * red + (g * green + (b * blue + bias))) - 0.15595420054924863
        }
        let long = root(0.3, 0.622, 0.078)
        let middle = root(0.23, 0.692, 0.078)
        let short = root(0.24342269, 0.20476744, 0.55180987)
        let luma = 0.5 * (long + middle)
        return (0.5 * (long - middle) * 14 + 0.42, luma + 0.01, (short - luma) + 0.55)
    }

    /// Two iterations of fourth order, from an estimate that divides the exponent by three.
    private static func cubeRoot(_ value: Float) -> Float {
        let third = Float(Int32(bitPattern: value.bitPattern)) * Float(1.0 / 3)
        var root = Float(bitPattern: UInt32(bitPattern: 0x54A2_0000 - Int32(third)))
        for _ in 0..<2 {
            let error = 1 - value * (root * root * root)
            root = root + root * (error * (Float(1.0 / 3) + error * (Float(2.0 / 9) + error * Float(14.0 / 81))))
        }
        return value * (root * root)
    }

    static func luma(_ row: [UInt8]) -> [Float] {
        stride(from: 0, to: row.count, by: 4).map { x in
            (0.299 * Float(row[x + 2]) + 0.587 * Float(row[x + 1])) + 0.114 * Float(row[x])
        }
    }

    /// The weighted mean around each sample; samples outside the row are zero.
    static func windowed(_ row: [Float], weights: [Float]) -> [Float] {
        row.indices.map { x in
            windowed(weights) { row.indices.contains(x + $0) ? row[x + $0] : 0 }
        }
    }

    /// The weighted mean around the middle row.
    static func windowed(rows: [[Float]], weights: [Float]) -> [Float] {
        rows[0].indices.map { x in windowed(weights) { rows[weights.count - 1 + $0][x] } }
    }

    private static func windowed(_ weights: [Float], _ sample: (Int) -> Float) -> Float {
        weights.indices.dropFirst().reduce(weights[0] * sample(0)) { sum, tap in
            sum + weights[tap] * (sample(-tap) + sample(tap))
        }
    }

    /// The recursive blur from left to right: eight columns one by one, then four per step, then the rest one by one.
    static func blurAcross(_ row: [Float], _ blur: texel_recursive_blur) -> [Float] {
        let (width, radius) = (row.count, Int(texel_blur_radius))
        func lanes(_ values: (Float, Float, Float, Float)) -> [Float] { [values.0, values.1, values.2, values.3] }
        let inputs = [blur.across_input.0, blur.across_input.1, blur.across_input.2].map(lanes)
        let previous = [blur.across_previous.0, blur.across_previous.1, blur.across_previous.2].map(lanes)
        let before = [blur.across_before.0, blur.across_before.1, blur.across_before.2].map(lanes)
        func sum(_ x: Int) -> Float {
            let (left, right) = (x - radius - 1, x + radius - 1)
            return (row.indices.contains(left) ? row[left] : 0) + (row.indices.contains(right) ? row[right] : 0)
        }
        var result = [Float](repeating: 0, count: width)
        // The last output of each oscillator, and the one before it.
        var state = [(last: Float, before: Float)](repeating: (0, 0), count: 3)
        var x = 1 - radius
        while x < width {
            let step = x >= 8 && x < width - radius - 2 ? 4 : 1
            let outputs = (0..<3).map { k in
                (0..<step).map { lane in
                    var output = inputs[k][lane] * sum(x)
                    for input in stride(from: 1, through: lane, by: 1) {
                        output = output.addingProduct(inputs[k][lane - input], sum(x + input))
                    }
                    return output.addingProduct(before[k][lane], state[k].before)
                        .addingProduct(previous[k][lane], state[k].last)
                }
            }
            for lane in 0..<step where x + lane >= 0 {
                result[x + lane] = outputs[0][lane] + (outputs[1][lane] + outputs[2][lane])
            }
            for k in 0..<3 {
                state[k] = (outputs[k][step - 1], step == 1 ? state[k].last : outputs[k][step - 2])
            }
            x += step
        }
        return result
    }
    /// One row of the vertical recursive blur, and the oscillators' new outputs.
    static func blurDown(
        before: [[Float]], previous: [[Float]], upper: [Float], lower: [Float], _ blur: texel_recursive_blur
    ) -> (row: [Float], oscillators: [[Float]]) {
        let inputs = [blur.down_input.0, blur.down_input.1, blur.down_input.2]
        let feedbacks = [blur.down_previous.0, blur.down_previous.1, blur.down_previous.2]
        let oscillators = (0..<3).map { k in
            upper.indices.map { x in
                (-before[k][x]).addingProduct(-feedbacks[k], previous[k][x])
                    .addingProduct(inputs[k], upper[x] + lower[x])
            }
        }
        return (upper.indices.map { oscillators[0][$0] + (oscillators[1][$0] + oscillators[2][$0]) }, oscillators)
    }

    /// The structural similarity of lumas.
    static func similarity(means: (Float, Float), squares: (Float, Float), product: Float) -> Float {
        let both = means.0 * means.1
        let sum = means.0 * means.0 + means.1 * means.1
        let numerator = (2 * both + 6.5025) * (2 * (product - both) + 58.5225)
        return numerator / ((sum + 6.5025) * (((squares.0 + squares.1) - sum) + 58.5225))
    }

    /// The sum of the positive errors and that of their fourth powers; in single precision for 1024 errors at a time.
    static func errorSums(_ errors: [Float]) -> [Double] {
        var totals = [[Double]](repeating: [Double](repeating: 0, count: 16), count: 2)
        for start in stride(from: 0, to: errors.count, by: 1024) {
            var block = [[Float]](repeating: [Float](repeating: 0, count: 16), count: 2)
            for x in start..<min(start + 1024, errors.count) where errors[x] > 0 {
                let square = errors[x] * errors[x]
                block[0][x % 16] += errors[x]
                block[1][x % 16] += square * square
            }
            for kind in 0..<2 {
                for lane in 0..<16 { totals[kind][lane] += Double(block[kind][lane]) }
            }
        }
        return totals.map(sumOfLanes)
    }

    static func sum(_ values: [Float]) -> Double {
        var lanes = [Double](repeating: 0, count: 16)
        for (x, value) in values.enumerated() { lanes[x % 16] += Double(value) }
        return sumOfLanes(lanes)
    }

    private static func sumOfLanes(_ lanes: [Double]) -> Double {
        var lanes = lanes
        while lanes.count > 1 {
            let half = lanes.count / 2
            lanes = (0..<half).map { lanes[$0] + lanes[half + $0] }
        }
        return lanes[0]
    }

    static func squaredDifferences(_ first: [UInt8], _ second: [UInt8]) -> UInt64 {
        zip(first, second).enumerated().reduce(0) { sum, pair in
            let difference = Int(pair.element.0) - Int(pair.element.1)
            return pair.offset % 4 == 3 ? sum : sum + UInt64(difference * difference)
        }
    }
}
