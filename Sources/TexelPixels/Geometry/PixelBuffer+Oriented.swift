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
                PixelMove(
                    orientation, of: size, from: from, stride: pixelsPerRow, to: to, destinationStride: resultStride
                ).run()
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
