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

    /// - Parameter destination: has the size of the oriented source.
    package init(_ orientation: Orientation, from source: Raster, to destination: Raster) {
        size = orientation.applied(to: source.size)
        precondition(size == destination.size, "the sizes differ: \(size) and \(destination.size)")
        self.destination = destination.pixels(0)
        destinationStride = destination.pixelsPerRow
        let (stride, pixels) = (source.pixelsPerRow, UnsafePointer(source.pixels(0)))
        let (alongX, alongY) = orientation.transposes ? (stride, 1) : (1, stride)
        stepX = orientation.mirrorsX ? -alongX : alongX
        stepY = orientation.mirrorsY ? -alongY : alongY
        origin =
            pixels
            + (orientation.mirrorsX ? (size.width - 1) * alongX : 0)
            + (orientation.mirrorsY ? (size.height - 1) * alongY : 0)
    }

    /// Writes rows of the destination, which must be inside it.
    package func run(rows: Range<Int>) {
        switch stepX {
        case 1: copy(rows)
        case -1: copyBackwards(rows)
        default: copyTiles(rows)
        }
    }

    private func copy(_ rows: Range<Int>) {
        for y in rows {
            (destination + y * destinationStride).update(from: origin + y * stepY, count: size.width)
        }
    }

    private func copyBackwards(_ rows: Range<Int>) {
        for y in rows {
            let row = destination + y * destinationStride
            let last = origin + y * stepY
            for x in 0..<size.width { row[x] = last[-x] }
        }
    }

    private func copyTiles(_ rows: Range<Int>) {
        for tileY in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.tile) {
            let bottom = min(tileY + Self.tile, rows.upperBound)
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
