import Texel

/// What the functions of ``FlutterImageCompress`` are asked for, as recipes.
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

    /// - Parameters:
    ///   - sampleSize: by what both sides are divided at least.
    ///   - size: of the picture that is scaled; needed above a sample size of 1.
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

    /// The next sample size that makes the result smaller; `nil` where it is a pixel already.
    func sampleSize(after sampleSize: Int, of size: PixelSize) -> Int? {
        let longest = max(size.width, size.height)
        var next = sampleSize
        repeat {
            guard next <= longest / 2 else { return nil }
            next *= 2
        } while minimaDivide(size, by: next)
        return next
    }

    /// Whether the minima alone divide both sides by as much. Decoding a picture at 1/n and scaling that down to the
    /// minima, as the plugin does, comes to the larger of both divisors.
    private func minimaDivide(_ size: PixelSize, by divisor: Int) -> Bool {
        if minWidth == 0, minHeight == 0 { return false }
        return (minWidth == 0 || size.width / divisor >= minWidth)
            && (minHeight == 0 || size.height / divisor >= minHeight)
    }

    /// Dividing by a minimum of zero gives the plugin a scale that never counts.
    private func given(_ minimum: Int) -> Int? { minimum == 0 ? nil : minimum }
}

extension Int {
    /// The plugins begin at 0, libjpeg at 1 and takes 0 for it.
    static func flutterQuality(_ quality: Int) -> Int { quality == 0 ? 1 : quality }
}
