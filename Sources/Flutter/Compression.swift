import Texel

/// The parameters of ``FlutterImageCompress``, converted to recipes.
struct Compression: Sendable {
    var minWidth: Int
    var minHeight: Int
    var inSampleSize: Int
    var quality: Int
    var rotate: Double
    var autoCorrectionAngle: Bool
    var format: ImageFormat
    var keepExif: Bool
    var numberOfRetries: Int
    var limits: Limits

    /// Makes the recipe for a sample size.
    ///
    /// - Parameters:
    ///   - sampleSize: The minimum divisor of both sides.
    ///   - size: The size of the image that is scaled; required for a sample size above 1.
    func recipe(sampleSize: Int, of size: PixelSize?) -> Recipe {
        var recipe = Recipe()
        recipe.appliesOrientation = autoCorrectionAngle
        if sampleSize > 1, let size, !minimaDivide(size, by: sampleSize) {
            let rule = ResizeRule(.scale(numerator: 1, denominator: sampleSize))
            recipe = recipe.appending(.resize(ResizeOptions(rule)))
        } else {
            recipe = recipe.resizing(minimumWidth: given(minWidth), minimumHeight: given(minHeight))
        }
        return
            recipe
            .rotating(by: rotate)
            .encoding(as: format, quality: .flutterQuality(quality))
            .keepingMetadata(keepExif ? .all : .color)
    }

    /// The size that the minima and the sample size apply to.
    func scaledSize(of info: ImageInfo) -> PixelSize { autoCorrectionAngle ? info.displaySize : info.size }

    /// The next sample size that makes the result smaller; `nil` if the result is one pixel already.
    func sampleSize(after sampleSize: Int, of size: PixelSize) -> Int? {
        let longest = max(size.width, size.height)
        var next = sampleSize
        repeat {
            guard next <= longest / 2 else { return nil }
            next *= 2
        } while minimaDivide(size, by: next)
        return next
    }

    /// Whether the minima alone divide both sides by at least `divisor`. The plugin decodes at 1/n and then scales to
    /// the minima, which amounts to the larger divisor of the two.
    private func minimaDivide(_ size: PixelSize, by divisor: Int) -> Bool {
        if minWidth == 0, minHeight == 0 { return false }
        return (minWidth == 0 || size.width / divisor >= minWidth)
            && (minHeight == 0 || size.height / divisor >= minHeight)
    }

    /// The plugin divides by the minimum; a minimum of 0 makes that scale infinite, so that it has no effect.
    private func given(_ minimum: Int) -> Int? { minimum == 0 ? nil : minimum }
}

extension Int {
    /// The plugins' qualities begin at 0, libjpeg's at 1.
    static func flutterQuality(_ quality: Int) -> Int { quality == 0 ? 1 : quality }
}
