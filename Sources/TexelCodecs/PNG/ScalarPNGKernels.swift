/// What the PNG kernels of `CPixelKernels` compute, said slowly and clearly; tests hold them equal.
package enum ScalarPNGKernels {
    /// What filter `type` predicts from the byte of the pixel to the left, of that above, and of that in the corner
    /// between them (PNG specification, third edition, 9.2).
    package static func prediction(_ type: Int, left: Int, above: Int, corner: Int) -> Int {
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

    package static func filter(_ row: [UInt8], above: [UInt8], channels: Int, type: Int) -> [UInt8] {
        row.indices.map { index in
            let isFirst = index < channels
            let prediction = prediction(
                type, left: isFirst ? 0 : Int(row[index - channels]), above: Int(above[index]),
                corner: isFirst ? 0 : Int(above[index - channels]))
            return UInt8(truncatingIfNeeded: Int(row[index]) - prediction)
        }
    }

    /// The sum of the bytes' magnitudes as signed numbers, for each filter.
    package static func costs(_ row: [UInt8], above: [UInt8], channels: Int) -> [UInt64] {
        (0..<5).map { type in
            filter(row, above: above, channels: channels, type: type).reduce(0) {
                $0 + UInt64(Int8(bitPattern: $1).magnitude)
            }
        }
    }

    /// The bytes at `order` of each BGRA pixel.
    package static func pack(_ pixels: [UInt8], order: [Int]) -> [UInt8] {
        stride(from: 0, to: pixels.count, by: 4).flatMap { first in order.map { pixels[first + $0] } }
    }

    /// Big-endian samples of 16 bits, each as the nearest of eight.
    package static func narrow(_ row: [UInt8]) -> [UInt8] {
        stride(from: 0, to: row.count, by: 2).map { first in
            let sample = Int(row[first]) << 8 | Int(row[first + 1])
            return UInt8((sample * 255 + 32_767) / 65_535)
        }
    }

    /// RGB as opaque BGRA.
    package static func unpackRGB(_ row: [UInt8]) -> [UInt8] {
        stride(from: 0, to: row.count, by: 3).flatMap { first -> [UInt8] in
            [row[first + 2], row[first + 1], row[first], 255]
        }
    }
}
