extension PixelBuffer {
    /// The picture at a place on a larger canvas of one colour.
    ///
    /// - Parameters:
    ///   - rectangle: where the picture lies; of its own size.
    ///   - background: the canvas around it; it does not shine through the picture's transparent pixels.
    /// - Throws: `rectangleOutOfBounds`, `invalidSize`, `outOfMemory`.
    public func padded(
        to canvas: PixelSize, at rectangle: PixelRectangle, background: PixelColor
    ) throws(PixelBufferError) -> PixelBuffer {
        guard rectangle.size == size, rectangle.isInside(canvas) else {
            throw .rectangleOutOfBounds(rectangle, canvas)
        }
        let isOpaque = alphaMode == .opaque && background.alpha == 255
        let isPremultiplied = alphaMode == .premultiplied
        var result = try PixelBuffer(
            width: canvas.width, height: canvas.height,
            filledWith: isPremultiplied ? background.premultipliedPixel : background.pixel,
            alphaMode: isOpaque ? .opaque : isPremultiplied ? .premultiplied : .straight, colorSpace: colorSpace)
        let resultPixelsPerRow = result.pixelsPerRow
        result.withUnsafeMutablePixels { destination in
            withUnsafePixels { source in
                guard let to = destination.baseAddress, let from = source.baseAddress else { return }
                // The rectangle lies inside the canvas and has the picture's size.
                for y in 0..<height {
                    let row = to + (rectangle.y + y) * resultPixelsPerRow + rectangle.x
                    row.update(from: from + y * pixelsPerRow, count: width)
                }
            }
        }
        return result
    }
}
