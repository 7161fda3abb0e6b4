package import TexelCore

extension Warp {
    /// Creates the warp of an affine map.
    ///
    /// - Parameter canvas: the size of the result. If it is `nil`, the canvas is the smallest one that holds the image,
    ///   which is centred on it, and the offsets are ignored.
    /// - Throws: `resultTooLarge`.
    package init(
        _ matrix: AffineMatrix, of size: PixelSize, canvas: PixelSize?, filter: ResamplingFilter,
        background: PixelColor
    ) throws(TexelError) {
        if let canvas {
            self.init(of: size, ontoCanvas: canvas, map: matrix.inverse, filter: filter, background: background)
            return
        }
        let numbers = matrix.numbers
        let (width, height) = (Double(size.width), Double(size.height))
        let canvas = try PixelSize(
            holding: abs(numbers[0]) * width + abs(numbers[1]) * height,
            abs(numbers[3]) * width + abs(numbers[4]) * height, pixelLimit: .max)
        var map = matrix.inverse
        (map.u.constant, map.v.constant) = (0, 0)
        self.init(of: size, ontoCanvas: canvas, centredMap: map, filter: filter, background: background)
    }

    /// Creates the warp that makes a rectangle of a quadrilateral.
    ///
    /// - Returns: `nil` if the quadrilateral is nearly degenerate.
    package init?(
        _ quadrilateral: Quadrilateral, of size: PixelSize, canvas: PixelSize, filter: ResamplingFilter,
        background: PixelColor
    ) {
        guard let map = quadrilateral.map(from: canvas) else { return nil }
        self.init(of: size, ontoCanvas: canvas, map: map, filter: filter, background: background)
    }
}
