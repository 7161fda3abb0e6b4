public import Texel

/// Makes a picked picture smaller as Flutter's plugin image_picker does: its parameters, its defaults. Picking is for
/// others.
///
///     let image = try await ImagePicker.pickImage("photo.jpg", maxWidth: 1024, maxHeight: 1024, imageQuality: 80)
public enum ImagePicker {
    /// A file's picture, upright, no larger than a box on either side, with all metadata that are still true for it.
    ///
    /// Where nothing is asked for, the file comes back as it is, byte for byte; only its header is looked at. A picture
    /// with transparency becomes a PNG, every other one a JPEG. Nothing is enlarged.
    ///
    /// - Parameters:
    ///   - maxWidth: pixels of the upright picture; `nil` follows the aspect.
    ///   - maxHeight: pixels of the upright picture; `nil` follows the aspect.
    ///   - imageQuality: JPEG's 0…100; `nil` is 100, and 100 alone asks for nothing.
    ///   - limits: for inputs that nobody knows.
    /// - Throws: `PipelineError`, also where the file is no picture.
    public static func pickImage(
        _ path: FilePath, maxWidth: Int? = nil, maxHeight: Int? = nil, imageQuality: Int? = nil,
        limits: Limits = Limits()
    ) async throws(PipelineError) -> CompressedImage {
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

    private static func original(_ path: FilePath, _ limits: Limits) async throws(PipelineError) -> CompressedImage {
        try await WorkerPool.shared.run(bytes: 0) { () throws(PipelineError) in
            let bytes = try InputReader.read(path, limit: limits.inputBytes)
            do throws(CodecError) {
                let info = try ImageSource(bytes, limits: limits).info
                return CompressedImage(bytes: Array(bytes), size: info.size, format: info.format, isKept: true)
            } catch {
                throw .codec(error)
            }
        }
    }
}
