extension PixelBuffer {
    /// Returns the image on a larger canvas of one colour.
    ///
    /// - Parameters:
    ///   - canvas: the size of the result.
    ///   - rectangle: the position of the image on the canvas; its size must be the image's.
    ///   - background: the colour around the image. It does not show through transparent pixels of the image.
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
                // The rectangle is inside the canvas and has the size of the image.
                for y in 0..<height {
                    let row = to + (rectangle.y + y) * resultPixelsPerRow + rectangle.x
                    row.update(from: from + y * pixelsPerRow, count: width)
                }
            }
        }
        return result
    }
}
