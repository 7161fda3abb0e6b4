public import TexelCore

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
    ) throws(TexelError) -> PixelBuffer {
        guard rectangle.size == size, rectangle.isInside(canvas) else {
            throw .rectangleOutOfBounds(rectangle, canvas)
        }
        let isOpaque = alphaMode == .opaque && background.alpha == 255
        let isPremultiplied = alphaMode == .premultiplied
        let resultMode: AlphaMode = isOpaque ? .opaque : isPremultiplied ? .premultiplied : .straight
        var result = try PixelBuffer(
            width: canvas.width, height: canvas.height,
            filledWith: isPremultiplied ? background.premultipliedPixel : background.pixel, alphaMode: resultMode,
            colorSpace: colorSpace)
        result.updateRaster(to: resultMode) { destination in
            withRaster { destination.cropped(to: rectangle).copyRows(from: $0) }
        }
        return result
    }
}
