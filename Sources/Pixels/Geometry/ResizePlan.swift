/// A ``ResizeRule`` applied to one image: the part that is sampled, its new size, and its position on the canvas.
public struct ResizePlan: Sendable, Hashable {
    /// The size of the source image.
    public let sourceSize: PixelSize
    /// The part of the source that is used; all of it unless the fit is `cover`.
    public let sampledRectangle: FractionalRectangle
    /// The size to which that part is resampled.
    public let imageSize: PixelSize
    /// The size of the result; larger than `imageSize` only if the fit is `contain`.
    public let canvasSize: PixelSize
    /// The position of the resampled image on the canvas; the rest is background.
    public let imageRectangle: PixelRectangle

    /// Creates a plan that resamples `sampled`, the whole image by default, to `imageSize`, centred on `canvasSize`.
    /// An odd pixel of padding goes to the right and the bottom.
    init(
        _ sourceSize: PixelSize, to imageSize: PixelSize, sampling sampled: FractionalRectangle? = nil,
        onCanvas canvasSize: PixelSize? = nil
    ) {
        let canvasSize = canvasSize ?? imageSize
        self.sourceSize = sourceSize
        self.sampledRectangle = sampled ?? FractionalRectangle(covering: sourceSize)
        self.imageSize = imageSize
        self.canvasSize = canvasSize
        self.imageRectangle = PixelRectangle(
            x: (canvasSize.width - imageSize.width) / 2, y: (canvasSize.height - imageSize.height) / 2,
            width: imageSize.width, height: imageSize.height)
    }

    /// Whether there is background around the image.
    public var isPadded: Bool { canvasSize != imageSize }

    /// Whether part of the source is cropped.
    public var isCropped: Bool { sampledRectangle != FractionalRectangle(covering: sourceSize) }

    /// Whether pixels are only moved, cropped or padded, never blended.
    public var keepsScale: Bool {
        sampledRectangle.width == Double(imageSize.width) && sampledRectangle.height == Double(imageSize.height)
    }

    /// Whether the result equals the source.
    public var isIdentity: Bool { keepsScale && !isCropped && !isPadded }
}
