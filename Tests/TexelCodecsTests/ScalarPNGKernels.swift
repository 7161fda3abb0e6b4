@testable import TexelPNG

/// Reference implementations of the PNG kernels of `CPixelKernels`, written for clarity. Tests require equal results.
enum ScalarPNGKernels {
    /// Returns the value that filter `type` predicts from the bytes to the left, above, and above left (PNG
    /// specification, third edition, 9.2).
    static func prediction(_ type: Int, left: Int, above: Int, corner: Int) -> Int {
        switch type {
        case 1: return left
        case 2: return above
        case 3: return (left + above) / 2
        case 4:
            let estimate = left + above - corner
            let (toLeft, toAbove, toCorner) = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
            if toLeft <= toAbove, toLeft <= toCorner { return left }
            return toAbove <= toCorner ? above : corner
        default: return 0
        }
    }

    /// Filters a row of 8-bit samples.
    static func filter(_ row: [UInt8], above: [UInt8], channels: Int, type: Int) -> [UInt8] {
        row.indices.map { index in
            let isFirst = index < channels
            let prediction = prediction(
                type, left: isFirst ? 0 : Int(row[index - channels]), above: Int(above[index]),
                corner: isFirst ? 0 : Int(above[index - channels]))
            return UInt8(truncatingIfNeeded: Int(row[index]) - prediction)
        }
    }

    /// Returns for each filter the sum of the magnitudes of the filtered bytes, as signed numbers.
    static func costs(_ row: [UInt8], above: [UInt8], channels: Int) -> [UInt64] {
        (0..<5).map { type in
            filter(row, above: above, channels: channels, type: type).reduce(0) {
                $0 + UInt64(Int8(bitPattern: $1).magnitude)
            }
        }
    }

    /// Returns the bytes of each BGRA pixel in the given order.
    static func pack(_ pixels: [UInt8], order: [Int]) -> [UInt8] {
        stride(from: 0, to: pixels.count, by: 4).flatMap { first in order.map { pixels[first + $0] } }
    }

    /// Converts big-endian 16-bit samples to 8 bits, rounded to nearest.
    static func narrow(_ row: [UInt8]) -> [UInt8] {
        stride(from: 0, to: row.count, by: 2).map { first in
            let sample = Int(row[first]) << 8 | Int(row[first + 1])
            return UInt8((sample * 255 + 32_767) / 65_535)
        }
    }

    /// Converts RGB to opaque BGRA.
    static func unpackRGB(_ row: [UInt8]) -> [UInt8] {
        stride(from: 0, to: row.count, by: 3).flatMap { first -> [UInt8] in
            [row[first + 2], row[first + 1], row[first], 255]
        }
    }
}
