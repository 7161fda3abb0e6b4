/// Copies pixels to their places in an oriented image.
///
/// Pixel (x, y) of the destination is `origin[x * stepX + y * stepY]` of the source. `origin` is the source pixel of
/// the top left corner and the steps are along the source's sides, so every (x, y) inside the destination has an
/// address inside the source.
package struct PixelMove {
    let size: PixelSize
    let origin: UnsafePointer<UInt32>
    let stepX: Int
    let stepY: Int
    let destination: UnsafeMutablePointer<UInt32>
    let destinationStride: Int

    /// A tile's source and destination rows are one cache line long, so each line is loaded once.
    private static var tile: Int { 64 / MemoryLayout<UInt32>.stride }

    package init(
        _ orientation: Orientation, of source: PixelSize, from pixels: UnsafePointer<UInt32>, stride: Int,
        to destination: UnsafeMutablePointer<UInt32>, destinationStride: Int
    ) {
        size = orientation.applied(to: source)
        self.destination = destination
        self.destinationStride = destinationStride
        let (alongX, alongY) = orientation.transposes ? (stride, 1) : (1, stride)
        stepX = orientation.mirrorsX ? -alongX : alongX
        stepY = orientation.mirrorsY ? -alongY : alongY
        origin =
            pixels
            + (orientation.mirrorsX ? (size.width - 1) * alongX : 0)
            + (orientation.mirrorsY ? (size.height - 1) * alongY : 0)
    }

    package func run() {
        switch stepX {
        case 1: copyRows()
        case -1: copyRowsBackwards()
        default: copyTiles()
        }
    }

    private func copyRows() {
        for y in 0..<size.height {
            (destination + y * destinationStride).update(from: origin + y * stepY, count: size.width)
        }
    }

    private func copyRowsBackwards() {
        for y in 0..<size.height {
            let row = destination + y * destinationStride
            let last = origin + y * stepY
            for x in 0..<size.width { row[x] = last[-x] }
        }
    }

    private func copyTiles() {
        for tileY in stride(from: 0, to: size.height, by: Self.tile) {
            let bottom = min(tileY + Self.tile, size.height)
            for tileX in stride(from: 0, to: size.width, by: Self.tile) {
                let count = min(Self.tile, size.width - tileX)
                for y in tileY..<bottom {
                    let row = destination + (y * destinationStride + tileX)
                    var from = origin + (tileX * stepX + y * stepY)
                    for x in 0..<count {
                        row[x] = from.pointee
                        from += stepX
                    }
                }
            }
        }
    }
}
