import Foundation
package import TexelPixels

/// A separable blur with edges repeated, in floating point: slow and exact.
package struct ExactBlur {
    /// The weight of each sample of a line for each sample of the result.
    private let across: [[Double]]
    private let down: [[Double]]
    private let size: PixelSize

    /// A Gaussian whose weights are computed until they vanish.
    package init(sigma: Double, size: PixelSize) {
        let radius = Int((10 * sigma).rounded(.up))
        let kernel = (-radius...radius).map { (place: Int) -> Double in
            exp(-Double(place * place) / (2 * sigma * sigma))
        }
        self.init(kernel, size: size)
    }

    private init(_ kernel: [Double], size: PixelSize) {
        let (radius, total) = (kernel.count / 2, kernel.reduce(0, +))
        func matrix(_ length: Int) -> [[Double]] {
            (0..<length).map { center in
                var row = [Double](repeating: 0, count: length)
                for (index, weight) in kernel.enumerated() {
                    row[min(max(center + index - radius, 0), length - 1)] += weight / total
                }
                return row
            }
        }
        self.size = size
        across = matrix(size.width)
        down = matrix(size.height)
    }

    /// Blurs the samples of one channel, row by row.
    package func blurred(_ samples: [Double]) -> [Double] {
        let (width, height) = (size.width, size.height)
        var rows = [Double](repeating: 0, count: samples.count)
        for y in 0..<height {
            for x in 0..<width {
                var sum = 0.0
                for u in 0..<width { sum += across[x][u] * samples[y * width + u] }
                rows[y * width + x] = sum
            }
        }
        var result = [Double](repeating: 0, count: samples.count)
        for y in 0..<height {
            for v in 0..<height where down[y][v] != 0 {
                for x in 0..<width { result[y * width + x] += down[y][v] * rows[v * width + x] }
            }
        }
        return result
    }
}

extension PixelBuffer {
    /// The samples of the channel at the bit position `shift` in 0xAARRGGBB.
    package func samples(_ shift: UInt32) -> [Int] { pixels.map { Int($0 >> shift & 255) } }

    /// Returns the image made by a filter of `size` rows.
    package func filtered(_ run: (Range<Int>, Raster, Raster) -> Void) throws -> PixelBuffer {
        var result = try PixelBuffer(width: width, height: height, filledWith: 0x1234_5678, alphaMode: alphaMode)
        result.updateRaster(to: alphaMode) { destination in withRaster { run(0..<height, $0, destination) } }
        return result
    }
}
