public import Texel

/// Compresses images like the Flutter plugin flutter_image_compress, with its names, parameters and defaults.
///
///     let image = try await FlutterImageCompress.compressWithFile("photo.jpg", minWidth: 1280, minHeight: 720)
///
/// The parameters of all functions:
/// - `minWidth`, `minHeight`: The result is the smallest size with both sides at least this large:
///   `width / scale` × `height / scale`, truncated, with
///   `scale = max(1, min(width / minWidth, height / minHeight))`. Images are neither cropped nor enlarged. The sides
///   are those of the upright image before rotation; 0 sets no minimum.
/// - `inSampleSize`: The minimum divisor of both sides, even below the minima; rounded down to a power of two. Not
///   needed to save memory: images are decoded at the scale that the result needs.
/// - `quality`: The JPEG quality, 0…100.
/// - `rotate`: The clockwise angle in degrees. Angles other than quarter turns enlarge the canvas; the new corners are
///   white, or transparent in a PNG.
/// - `autoCorrectionAngle`: Whether the EXIF orientation is applied to the pixels. Otherwise they stay as stored and
///   the orientation is written as metadata.
/// - `format`: The format of the result, whatever the input's. In a JPEG, transparent pixels are composited onto white.
/// - `keepExif`: Whether all metadata that still applies is kept: EXIF, XMP and texts. Otherwise only the colour
///   profile and the pixel density are kept.
/// - `numberOfRetries`: How often to retry with twice the sample size if memory is short or the result exceeds a limit.
/// - `limits`: Limits for untrusted input.
///
/// If neither size nor format change and encoding would only add bytes, the input's encoded pixels are kept. Cancelling
/// the waiting task stops the work within one band of rows.
public enum FlutterImageCompress {
    /// Compresses a file into memory.
    ///
    /// - Throws: `TexelError`. Unlike the plugin, the function never returns an empty result.
    public static func compressWithFile(
        _ path: FilePath, minWidth: Int = 1920, minHeight: Int = 1080, inSampleSize: Int = 1, quality: Int = 95,
        rotate: Double = 0, autoCorrectionAngle: Bool = true, format: ImageFormat = .jpeg, keepExif: Bool = false,
        numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(TexelError) -> CompressedImage {
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return try await compression.image(from: path)
    }

    /// Compresses a file into another file.
    ///
    /// The target is replaced atomically when the result is complete. `format` decides its contents, whatever its name;
    /// a name with another format's extension causes a warning.
    ///
    /// - Throws: `TexelError`, and the target is unchanged; `isInput` if it is the input.
    public static func compressAndGetFile(
        _ path: FilePath, _ targetPath: FilePath, minWidth: Int = 1920, minHeight: Int = 1080, inSampleSize: Int = 1,
        quality: Int = 95, rotate: Double = 0, autoCorrectionAngle: Bool = true, format: ImageFormat = .jpeg,
        keepExif: Bool = false, numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(TexelError) -> CompressedFile {
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return CompressedFile(targetPath, try await compression.file(from: path, to: targetPath))
    }

    /// Compresses a file in memory into memory.
    ///
    /// - Throws: `TexelError`.
    public static func compressWithList(
        _ image: some Collection<UInt8>, minWidth: Int = 1920, minHeight: Int = 1080, inSampleSize: Int = 1,
        quality: Int = 95, rotate: Double = 0, autoCorrectionAngle: Bool = true, format: ImageFormat = .jpeg,
        keepExif: Bool = false, numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(TexelError) -> CompressedImage {
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return try await compression.image(from: Array(image))
    }
}

extension Compression {
    func image(from path: FilePath) async throws(TexelError) -> CompressedImage {
        CompressedImage(
            try await run { () throws(TexelError) in
                try await ImageInfo.read(path, limits: limits)
            } attempt: { recipe throws(TexelError) in
                try await ImagePipeline.shared.encodedImage(from: FileSource(path), recipe: recipe, limits: limits)
            })
    }

    func image(from bytes: [UInt8]) async throws(TexelError) -> CompressedImage {
        let source = BytesSource(bytes)
        return CompressedImage(
            try await run { () throws(TexelError) in
                try await ImageInfo.read(bytes, limits: limits)
            } attempt: { recipe throws(TexelError) in
                try await ImagePipeline.shared.encodedImage(from: source, recipe: recipe, limits: limits)
            })
    }

    func file(from path: FilePath, to target: FilePath) async throws(TexelError) -> Sampled<FileResult> {
        try await run { () throws(TexelError) in
            try await ImageInfo.read(path, limits: limits)
        } attempt: { recipe throws(TexelError) in
            var options = ProcessingOptions()
            options.policy.limits = limits
            options.overwrites = true
            return try await Texel.process(path, to: target, with: recipe, options: options)
        }
    }
}
