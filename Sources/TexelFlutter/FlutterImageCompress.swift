public import Texel

/// Compresses pictures as Flutter's plugin flutter_image_compress does: its names, its parameters, its defaults.
///
///     let image = try await FlutterImageCompress.compressWithFile("photo.jpg", minWidth: 1280, minHeight: 720)
///
/// In all functions:
/// - `minWidth` and `minHeight` are a box that both sides still reach: with
///   `scale = max(1, min(width / minWidth, height / minHeight))` the result is `width / scale` by `height / scale`,
///   truncated. Nothing is cropped, nothing is enlarged. They count for the upright picture before it is rotated; 0
///   counts for nothing.
/// - `inSampleSize` divides both sides at least, even below the minima; it is rounded down to a power of two. It is not
///   needed to save memory: a picture is read at the scale that its result needs.
/// - `quality` is JPEG's 0…100.
/// - `rotate` turns clockwise by degrees. Other angles than quarter turns enlarge the picture by the corners that then
///   stand out; what lies behind is white, transparent in a PNG.
/// - `autoCorrectionAngle` makes the picture upright, as its EXIF orientation says. Without it the pixels stay as they
///   are stored, and the orientation is written beside them.
/// - `format` is that of the result, whatever the input's. In a JPEG transparent pixels lie on white.
/// - `keepExif` keeps all metadata that are still true for the result, EXIF, XMP and texts. Without it only the colour
///   profile and the pixel density stay.
/// - `numberOfRetries` says how often it is tried again with twice the sample size where memory does not suffice, or a
///   result exceeds the limits.
/// - `limits` are for inputs that nobody knows.
///
/// Where neither size nor format change and new pixels would only take more bytes, the input's own are kept.
/// Cancelling the task that waits stops the work within a band of rows.
public enum FlutterImageCompress {
    /// Compresses a file, into memory.
    ///
    /// - Throws: `PipelineError`; there is no empty success.
    public static func compressWithFile(
        _ path: FilePath, minWidth: Int = 1920, minHeight: Int = 1080, inSampleSize: Int = 1, quality: Int = 95,
        rotate: Double = 0, autoCorrectionAngle: Bool = true, format: ImageFormat = .jpeg, keepExif: Bool = false,
        numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(PipelineError) -> CompressedImage {
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return try await compression.image(from: path)
    }

    /// Compresses a file, into another one.
    ///
    /// The target is there whole or not at all; an existing one is replaced when the result is complete. `format`
    /// decides what is in it, whatever its name; a name that promises something else is a warning.
    ///
    /// - Throws: `PipelineError`; then the target is what it was. `file(.isInput)` where it is the input.
    public static func compressAndGetFile(
        _ path: FilePath, _ targetPath: FilePath, minWidth: Int = 1920, minHeight: Int = 1080, inSampleSize: Int = 1,
        quality: Int = 95, rotate: Double = 0, autoCorrectionAngle: Bool = true, format: ImageFormat = .jpeg,
        keepExif: Bool = false, numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(PipelineError) -> CompressedFile {
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return CompressedFile(targetPath, try await compression.file(from: path, to: targetPath))
    }

    /// Compresses a file that is in memory.
    ///
    /// - Throws: `PipelineError`.
    public static func compressWithList(
        _ image: some Collection<UInt8>, minWidth: Int = 1920, minHeight: Int = 1080, inSampleSize: Int = 1,
        quality: Int = 95, rotate: Double = 0, autoCorrectionAngle: Bool = true, format: ImageFormat = .jpeg,
        keepExif: Bool = false, numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(PipelineError) -> CompressedImage {
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return try await compression.image(from: Array(image))
    }
}

extension Compression {
    func image(from path: FilePath) async throws(PipelineError) -> CompressedImage {
        CompressedImage(
            try await run { () throws(PipelineError) in
                try await ImageInfo.read(path, limits: limits)
            } attempt: { recipe throws(PipelineError) in
                try await ImagePipeline.shared.encodedImage(from: FileSource(path), recipe: recipe, limits: limits)
            })
    }

    func image(from bytes: [UInt8]) async throws(PipelineError) -> CompressedImage {
        let source = BytesSource(bytes)
        return CompressedImage(
            try await run { () throws(PipelineError) in
                try await ImageInfo.read(bytes, limits: limits)
            } attempt: { recipe throws(PipelineError) in
                try await ImagePipeline.shared.encodedImage(from: source, recipe: recipe, limits: limits)
            })
    }

    func file(from path: FilePath, to target: FilePath) async throws(PipelineError) -> Sampled<FileResult> {
        try await run { () throws(PipelineError) in
            try await ImageInfo.read(path, limits: limits)
        } attempt: { recipe throws(PipelineError) in
            var options = ProcessingOptions()
            options.limits = limits
            options.overwrites = true
            return try await Texel.process(path, to: target, with: recipe, options: options)
        }
    }
}
