/// What a ``ResizeRule`` means for one picture: which part is sampled, to which size, and where the result lies.
public struct ResizePlan: Sendable, Hashable {
    /// The size of the source picture.
    public let sourceSize: PixelSize
    /// The part of the source that is seen; all of it unless the fit is `cover`.
    public let sampledRectangle: FractionalRectangle
    /// The size to which that part is resampled.
    public let pictureSize: PixelSize
    /// The size of the result; larger than `pictureSize` only where the fit is `contain`.
    public let canvasSize: PixelSize
    /// Where the resampled picture lies in the canvas; the rest is background.
    public let pictureRectangle: PixelRectangle

    /// The whole picture, resampled to `pictureSize`, in the middle of `canvasSize`. An odd pixel of padding goes to
    /// the right and the bottom.
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

    /// Whether background is seen around the picture.
    public var isPadded: Bool { canvasSize != pictureSize }

    /// Whether a part of the source is cut off.
    public var isCropped: Bool { sampledRectangle != FractionalRectangle(covering: sourceSize) }

    /// Whether pixels are only moved, cut off or padded, never blended.
    public var keepsScale: Bool {
        sampledRectangle.width == Double(pictureSize.width) && sampledRectangle.height == Double(pictureSize.height)
    }

    /// Whether the result is the source itself.
    public var isIdentity: Bool { keepsScale && !isCropped && !isPadded }
}
