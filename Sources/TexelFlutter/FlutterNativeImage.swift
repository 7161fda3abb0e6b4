public import Texel

/// Resizes pictures as Flutter's plugin flutter_native_image does: its names, its parameters, its defaults.
///
///     let image = try await FlutterNativeImage.compressImage("photo.jpg", percentage: 50)
public enum FlutterNativeImage {
    /// A file's picture as a JPEG of another size, upright, with all metadata that are still true for it.
    ///
    /// Sizes are what is asked for, also larger ones; both targets together change the aspect.
    ///
    /// - Parameters:
    ///   - percentage: of both sides, where neither target is given; rounded to nearest, one pixel at least.
    ///   - quality: JPEG's 0…100.
    ///   - targetWidth: pixels of the upright picture; 0 follows the aspect.
    ///   - targetHeight: pixels of the upright picture; 0 follows the aspect.
    ///   - limits: for inputs that nobody knows.
    /// - Throws: `PipelineError`.
    public static func compressImage(
        _ fileName: FilePath, percentage: Int = 70, quality: Int = 70, targetWidth: Int = 0, targetHeight: Int = 0,
        limits: Limits = Limits()
    ) async throws(PipelineError) -> CompressedImage {
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

    /// What a file's header says of the picture's size; no pixel is read for it.
    ///
    /// - Throws: `PipelineError`.
    public static func getImageProperties(
        _ fileName: FilePath, limits: Limits = Limits()
    ) async throws(PipelineError) -> ImageProperties {
        ImageProperties(try await ImageInfo.read(fileName, limits: limits))
    }
}

/// The size of a picture, as stored and as displayed.
public struct ImageProperties: Sendable, Hashable {
    /// Pixels of a stored row.
    public var width: Int
    /// Stored rows.
    public var height: Int
    /// How the stored rows lie in the displayed picture; the raw value is EXIF's 1…8.
    public var orientation: Orientation

    public var displayedWidth: Int { orientation.swapsSides ? height : width }
    public var displayedHeight: Int { orientation.swapsSides ? width : height }

    init(_ info: ImageInfo) {
        width = info.size.width
        height = info.size.height
        orientation = info.orientation
    }
}
