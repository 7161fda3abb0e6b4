import TexelCodecs
import TexelPixels

extension JPEGFile.Frame {
    /// The layout of the blocks; `nil` if a sampling factor is not 1…4 (ITU-T T.81, table B.2).
    var coefficientLayout: CoefficientLayout? {
        let factors = components.flatMap { [$0.horizontalSampling, $0.verticalSampling] }
        guard factors.allSatisfy((1...4).contains),
            let across = components.map(\.horizontalSampling).max(),
            let down = components.map(\.verticalSampling).max()
        else { return nil }
        // A block covers `8 * largest / factor` pixels. This is the smallest whole number of pixels in whole blocks.
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
