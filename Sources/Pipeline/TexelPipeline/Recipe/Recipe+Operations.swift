public import TexelOperations
public import TexelPixels

extension Recipe {
    /// Adds a Gaussian blur with a standard deviation in pixels.
    public func blurring(sigma: Double) -> Recipe { appending(.blur(sigma: sigma)) }

    /// Adds an unsharp mask.
    ///
    /// - Parameters:
    ///   - amount: the factor of the difference from the blurred image that is added.
    ///   - radius: the standard deviation of that blur, in pixels.
    ///   - threshold: the smallest difference, 0…255, that is changed.
    public func sharpening(amount: Double, radius: Double = 1, threshold: Int = 0) -> Recipe {
        appending(.sharpen(amount: amount, radius: radius, threshold: threshold))
    }

    /// Adds an overlay, such as a watermark, at its own size.
    ///
    /// - Parameters:
    ///   - image: the image that is laid over.
    ///   - gravity: the edge, corner or centre at which it is placed.
    ///   - offset: the distance from there in pixels, inwards.
    ///   - opacity: a factor of its alpha, 0…1.
    public func overlaying(
        _ image: OverlayImage, at gravity: Gravity = .center, offset: (x: Int, y: Int) = (0, 0), opacity: Double = 1
    ) -> Recipe {
        appending(
            .overlay(
                OverlayOptions(image, gravity: gravity, offsetX: offset.x, offsetY: offset.y, opacity: opacity)))
    }

    /// Adds a border of one colour around the image.
    public func bordering(width: Int, color: PixelColor) -> Recipe { appending(.border(width: width, color: color)) }

    /// Adds rounded corners, outside of which the image is transparent.
    public func rounding(_ radius: CornerRadius) -> Recipe { appending(.round(radius)) }

    /// Sets the colour space that the colours are converted to, and whose profile is written.
    public func converting(to colorSpace: ColorSpace) -> Recipe {
        var recipe = self
        recipe.output.colorSpace = colorSpace
        return recipe
    }
}
