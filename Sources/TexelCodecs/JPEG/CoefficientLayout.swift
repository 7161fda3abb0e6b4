package import TexelPixels

/// How the DCT blocks of a JPEG's components lie in the picture.
package struct CoefficientLayout: Sendable, Hashable, Codable {
    /// Pixels across and down after which blocks of all components begin together: that of an MCU, or less where all
    /// components have the same sampling factors.
    package var grid: PixelSize
    /// All coefficients, at two bytes each.
    package var byteCount: Int
}

extension JPEGFile.Frame {
    /// `nil` where a sampling factor is not 1…4 (ITU-T T.81, table B.2).
    var coefficientLayout: CoefficientLayout? {
        let factors = components.flatMap { [$0.horizontalSampling, $0.verticalSampling] }
        guard factors.allSatisfy((1...4).contains),
            let across = components.map(\.horizontalSampling).max(),
            let down = components.map(\.verticalSampling).max()
        else { return nil }
        /// A block covers `8 * largest / factor` pixels.
        func multiple(_ factor: Int, _ largest: Int) -> Int { 8 * largest / greatestCommonDivisor(8 * largest, factor) }
        func blocks(_ length: Int, _ factor: Int, _ largest: Int) -> Int {
            (length * factor + 8 * largest - 1) / (8 * largest)
        }
        var grid = PixelSize(width: 1, height: 1)
        var blockCount = 0
        for component in components {
            let (horizontal, vertical) = (component.horizontalSampling, component.verticalSampling)
            grid.width = leastCommonMultiple(grid.width, multiple(horizontal, across))
            grid.height = leastCommonMultiple(grid.height, multiple(vertical, down))
            blockCount += blocks(width, horizontal, across) * blocks(height, vertical, down)
        }
        return CoefficientLayout(grid: grid, byteCount: blockCount * 64 * 2)
    }
}

private func leastCommonMultiple(_ a: Int, _ b: Int) -> Int { a / greatestCommonDivisor(a, b) * b }
