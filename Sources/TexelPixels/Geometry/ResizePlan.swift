/// A ``ResizeRule`` applied to one image: the part that is sampled, its new size, and its position on the canvas.
public struct ResizePlan: Sendable, Hashable {
    /// The size of the source image.
    public let sourceSize: PixelSize
    /// The part of the source that is used; all of it unless the fit is `cover`.
    public let sampledRectangle: FractionalRectangle
    /// The size to which that part is resampled.
    public let pictureSize: PixelSize
    /// The size of the result; larger than `pictureSize` only if the fit is `contain`.
    public let canvasSize: PixelSize
    /// The position of the resampled image on the canvas; the rest is background.
    public let pictureRectangle: PixelRectangle

    /// Creates a plan that resamples `sampled`, the whole image by default, to `pictureSize`, centred on `canvasSize`.
    /// An odd pixel of padding goes to the right and the bottom.
    init(
        _ sourceSize: PixelSize, to pictureSize: PixelSize, sampling sampled: FractionalRectangle? = nil,
        onCanvas canvasSize: PixelSize? = nil
    ) {
        let canvasSize = canvasSize ?? pictureSize
        self.sourceSize = sourceSize
        self.sampledRectangle = sampled ?? FractionalRectangle(covering: sourceSize)
        self.pictureSize = pictureSize
        self.canvasSize = canvasSize
        self.pictureRectangle = PixelRectangle(
            x: (canvasSize.width - pictureSize.width) / 2, y: (canvasSize.height - pictureSize.height) / 2,
            width: pictureSize.width, height: pictureSize.height)
    }

    /// Whether there is background around the image.
    public var isPadded: Bool { canvasSize != pictureSize }

    /// Whether part of the source is cropped.
    public var isCropped: Bool { sampledRectangle != FractionalRectangle(covering: sourceSize) }

    /// Whether pixels are only moved, cropped or padded, never blended.
    public var keepsScale: Bool {
        sampledRectangle.width == Double(pictureSize.width) && sampledRectangle.height == Double(pictureSize.height)
    }

    /// Whether the result equals the source.
    public var isIdentity: Bool { keepsScale && !isCropped && !isPadded }
}
