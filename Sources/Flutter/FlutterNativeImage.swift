public import Texel

/// Resizes images like the Flutter plugin flutter_native_image, with its names, parameters and defaults.
///
///     let image = try await FlutterNativeImage.compressImage("photo.jpg", percentage: 50)
public enum FlutterNativeImage {
    /// Resizes a file to an upright JPEG in memory. Keeps all metadata that still applies.
    ///
    /// Sizes are applied as given, also to enlarge; if both targets are set, the aspect ratio may change.
    ///
    /// - Parameters:
    ///   - fileName: The file.
    ///   - percentage: The scale of both sides if neither target is set. Sides are rounded to nearest and at least 1
    ///     pixel.
    ///   - quality: The JPEG quality, 0…100.
    ///   - targetWidth: The width of the upright image in pixels; 0 keeps the aspect ratio.
    ///   - targetHeight: The height of the upright image in pixels; 0 keeps the aspect ratio.
    ///   - limits: Limits for untrusted input.
    /// - Throws: `TexelError`.
    public static func compressImage(
        _ fileName: FilePath, percentage: Int = 70, quality: Int = 70, targetWidth: Int = 0, targetHeight: Int = 0,
        limits: Limits = Limits()
    ) async throws(TexelError) -> CompressedImage {
        let target: ResizeRule.Target =
            targetWidth == 0 && targetHeight == 0
            ? .scale(numerator: percentage, denominator: 100)
            : .box(
                width: targetWidth == 0 ? nil : targetWidth, height: targetHeight == 0 ? nil : targetHeight, fit: .fill)
        let recipe = Recipe()
            .appending(.resize(ResizeOptions(ResizeRule(target, enlarges: true))))
            .encoding(as: .jpeg, quality: .flutterQuality(quality))
            .keepingMetadata(.all)
        return CompressedImage(
            try await ImagePipeline.shared.encodedImage(from: FileSource(fileName), recipe: recipe, limits: limits))
    }

    /// Reads the image's size from the file's header, without decoding pixels.
    ///
    /// - Throws: `TexelError`.
    public static func getImageProperties(
        _ fileName: FilePath, limits: Limits = Limits()
    ) async throws(TexelError) -> ImageProperties {
        ImageProperties(try await ImageInfo.read(fileName, limits: limits))
    }
}

/// The size of an image, as stored and as displayed.
public struct ImageProperties: Sendable, Hashable {
    /// The width of the stored image in pixels.
    public var width: Int
    /// The height of the stored image in pixels.
    public var height: Int
    /// How the stored image is turned for display; the raw value is that of EXIF, 1…8.
    public var orientation: Orientation

    /// The width of the upright image in pixels.
    public var displayedWidth: Int { orientation.swapsSides ? height : width }
    /// The height of the upright image in pixels.
    public var displayedHeight: Int { orientation.swapsSides ? width : height }

    init(_ info: ImageInfo) {
        width = info.size.width
        height = info.size.height
        orientation = info.orientation
    }
}
