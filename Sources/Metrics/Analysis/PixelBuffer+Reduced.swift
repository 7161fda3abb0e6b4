import TexelCore
import TexelPixels

extension PixelBuffer {
    /// Returns the image with its longer side reduced to at most `side` pixels, and the other one in proportion.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    func reduced(toSide side: Int, linearLight: Bool = false) throws(TexelError) -> PixelBuffer {
        let longest = max(width, height)
        guard longest > side else { return self }
        func scaled(_ length: Int) -> Int {
            max(1, Int((Double(length) * Double(side) / Double(longest)).rounded()))
        }
        return try resized(
            to: PixelSize(width: scaled(width), height: scaled(height)), filter: .box, linearLight: linearLight)
    }

    /// Returns the luma of the image in sRGB at another size, row by row. Transparent pixels are composited on white.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`, `unusableColorProfile`.
    func reducedLuma(width: Int, height: Int) throws(TexelError) -> [UInt8] {
        let reduced = try resized(to: PixelSize(width: width, height: height)).flattened(on: .white).convertedToSRGB()
        return (0..<height).flatMap { y in
            let row = reduced.row(y)
            return (0..<width).map { Luma.of(row[$0]) }
        }
    }
}
