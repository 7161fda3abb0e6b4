@testable import TexelJPEG

/// Reference implementations of the JPEG kernels of `CPixelKernels`, written for clarity.
///
/// Tests require that every kernel at every CPU level returns the same words.
enum ScalarJPEGKernels {
    /// Multiplies blue, green and red by their factors, adds an offset, and rounds from units of 1/32,768 to fraction
    /// bits, in units of 1/16.
    static func words(_ row: [UInt8], factors: [Int16], offset: Int, fractionBits: Int) -> [Int16] {
        let unit = Double(1 << (15 - fractionBits))
        return stride(from: 0, to: row.count, by: 4).map { pixel -> Int16 in
            let sum = (0..<3).reduce(offset) { $0 + Int(row[pixel + $1]) * Int(factors[$1]) }
            return Int16((Double(sum) / unit + 0.5).rounded(.down)) << Int16(4 - fractionBits)
        }
    }

    /// Rearranges eight rows of samples into consecutive 8 × 8 blocks.
    static func cut(_ rows: [Int16]) -> [Int16] {
        let width = rows.count / 8
        var blocks: [Int16] = []
        for left in stride(from: 0, to: width, by: 8) {
            for top in stride(from: 0, to: rows.count, by: width) { blocks += rows[(top + left)..<(top + left + 8)] }
        }
        return blocks
    }

    /// Returns the DCT coefficients of a block times sixteen: transforms columns, then rows.
    static func forwardTransform(_ block: [Int16], fractionBits: Int) -> [Int16] {
        let columns = transformColumns(block.map { Int($0) }, shift: 10 + fractionBits)
        return transposed(transformColumns(transposed(columns), shift: 16)).map { Int16($0) }
    }

    /// Divides by the steps and rounds; halves are rounded away from zero.
    static func quantize(_ coefficients: [Int16], steps: [UInt16]) -> [Int16] {
        zip(coefficients, steps).map { coefficient, step in
            let magnitude = (Int(coefficient.magnitude) + Int(step) / 2) / Int(step)
            return Int16(min(magnitude, 1023) * Int(coefficient.signum()))
        }
    }

    private static func transformColumns(_ block: [Int], shift: Int) -> [Int] {
        (0..<64).map { place in
            let (frequency, column) = (place / 8, place % 8)
            let sum = (0..<8).reduce(0) { $0 + block[$1 * 8 + column] * factor(frequency, $1) }
            return (sum + 1 << (shift - 1)) >> shift
        }
    }

    /// cos(k π / 16) / 2 in units of 1/32,768.
    private static let quarter = [16384, 16069, 15137, 13623, 11585, 9102, 6270, 3196, 0]

    private static func factor(_ frequency: Int, _ sample: Int) -> Int {
        CosineFactor.of(frequency: frequency, sample: sample, quarter: quarter)
    }

    private static func transposed(_ block: [Int]) -> [Int] { (0..<64).map { block[$0 % 8 * 8 + $0 / 8] } }
}
