// Exact moves of pixels: no value changes, every pixel of the result is one pixel of the source.

extension PixelBuffer {
    /// This picture after `orientation`'s move, pixel for pixel; colour space and alpha mode stay.
    ///
    /// `identity` shares the memory; every other move makes a new picture.
    /// - Throws: `outOfMemory`.
    public func oriented(_ orientation: Orientation) throws(PixelBufferError) -> PixelBuffer {
        guard orientation != .identity else { return self }
        var result = try PixelBuffer(
            uninitialized: orientation.applied(to: size), alphaMode: alphaMode, colorSpace: colorSpace)
        let resultStride = result.pixelsPerRow
        withUnsafePixels { source in
            result.withUnsafeMutablePixels { destination in
                guard let from = source.baseAddress, let to = destination.baseAddress else { return }
                let move = PixelMove(
                    orientation, of: size, from: from, stride: pixelsPerRow, to: to, destinationStride: resultStride)
                move.run()
            }
        }
        return result
    }

    /// The picture in a mirror: left and right change places.
    public func flippedHorizontally() throws(PixelBufferError) -> PixelBuffer {
        try oriented(.flippedHorizontally)
    }

    /// The first row becomes the last.
    public func flippedVertically() throws(PixelBufferError) -> PixelBuffer {
        try oriented(.flippedVertically)
    }

    /// The picture after any number of quarter turns, clockwise when positive.
    public func rotated(quarterTurns: Int) throws(PixelBufferError) -> PixelBuffer {
        try oriented(Orientation(quarterTurns: quarterTurns))
    }
}

extension Orientation {
    /// Any number of quarter turns, clockwise when positive.
    public init(quarterTurns: Int) {
        // `&` of a negative number in two's complement is the remainder that is never negative.
        self =
            switch quarterTurns & 3 {
            case 1: .rotated90
            case 2: .rotated180
            case 3: .rotated270
            default: .identity
            }
    }
}

/// The walk through memory behind `oriented(_:)`; the only place here that touches pointers.
///
/// Pixel (x, y) of the destination is `origin[x * stepX + y * stepY]` of the source. `origin` is the source pixel that
/// lands in the top left corner and the steps lead along the source's sides, so for every x below the destination's
/// width and every y below its height the address is a pixel of the source.
private struct PixelMove {
    let size: PixelSize
    let origin: UnsafePointer<UInt32>
    let stepX: Int
    let stepY: Int
    let destination: UnsafeMutablePointer<UInt32>
    let destinationStride: Int

    /// A tile's source and destination rows are a cache line (16 pixels) long: each line is fetched once.
    private static let tile = 16

    init(
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

    func run() {
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
