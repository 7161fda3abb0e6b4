public import Texel

/// Scales an image like the Flutter plugin image_picker does after picking, with its parameters and defaults. Choosing
/// a file is up to the application.
///
///     let image = try await ImagePicker.pickImage("photo.jpg", maxWidth: 1024, maxHeight: 1024, imageQuality: 80)
public enum ImagePicker {
    /// Scales a file to an upright image that fits a box. Keeps all metadata that still applies.
    ///
    /// An image with transparency becomes a PNG, any other a JPEG. Images are not enlarged. If nothing is requested,
    /// the file's bytes are returned unchanged after a check of the header.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - maxWidth: The maximum width of the upright image in pixels; `nil` for no limit.
    ///   - maxHeight: The maximum height of the upright image in pixels; `nil` for no limit.
    ///   - imageQuality: The JPEG quality, 0…100; `nil` means 100. Without a box, 100 requests nothing.
    ///   - limits: Limits for untrusted input.
    /// - Throws: `TexelError`, also if the file is not an image.
    public static func pickImage(
        _ path: FilePath, maxWidth: Int? = nil, maxHeight: Int? = nil, imageQuality: Int? = nil,
        limits: Limits = Limits()
    ) async throws(TexelError) -> CompressedImage {
        let quality = imageQuality ?? 100
        if maxWidth == nil, maxHeight == nil, quality == 100 { return try await original(path, limits) }
        let hasAlpha = try await ImageInfo.read(path, limits: limits).hasAlpha
        let recipe = Recipe()
            .resizing(width: maxWidth, height: maxHeight)
            .encoding(as: hasAlpha ? .png : .jpeg, quality: .flutterQuality(quality))
            .keepingMetadata(.all)
        return CompressedImage(
            try await ImagePipeline.shared.encodedImage(from: FileSource(path), recipe: recipe, limits: limits))
    }

    private static func original(_ path: FilePath, _ limits: Limits) async throws(TexelError) -> CompressedImage {
        try await WorkerPool.shared.run(bytes: 0) { () throws(TexelError) in
            let bytes = try InputReader.read(path, limit: limits.inputBytes)
            let info = try CodecRegistry.shared.open(bytes, limits: limits).info
            return CompressedImage(bytes: Array(bytes), size: info.size, format: info.format, isKept: true)
        }
    }
}
