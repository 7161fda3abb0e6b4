public import TexelCore

// Operations that move pixels without changing their values.

extension PixelBuffer {
    /// Returns the image after the operation `orientation`. Colour space and alpha mode stay the same.
    ///
    /// `identity` shares the memory; every other operation allocates a new image.
    ///
    /// - Throws: `outOfMemory`.
    public func oriented(_ orientation: Orientation) throws(TexelError) -> PixelBuffer {
        guard orientation != .identity else { return self }
        var result = try PixelBuffer(
            uninitialized: orientation.applied(to: size), alphaMode: alphaMode, colorSpace: colorSpace)
        result.updateRaster(to: alphaMode) { destination in
            withRaster { PixelMove(orientation, from: $0, to: destination).run(rows: 0..<destination.size.height) }
        }
        return result
    }

    /// Returns the image with left and right exchanged.
    public func flippedHorizontally() throws(TexelError) -> PixelBuffer {
        try oriented(.flippedHorizontally)
    }

    /// Returns the image with top and bottom exchanged.
    public func flippedVertically() throws(TexelError) -> PixelBuffer {
        try oriented(.flippedVertically)
    }

    /// Returns the image after quarter turns; clockwise if positive.
    public func rotated(quarterTurns: Int) throws(TexelError) -> PixelBuffer {
        try oriented(Orientation(quarterTurns: quarterTurns))
    }
}

extension Orientation {
    /// Creates the orientation of any number of quarter turns; clockwise if positive.
    public init(quarterTurns: Int) {
        // Two's complement: `& 3` gives 0…3 for negative numbers too, unlike `%`.
        self =
            switch quarterTurns & 3 {
            case 1: .rotated90
            case 2: .rotated180
            case 3: .rotated270
            default: .identity
            }
    }
}
