public import Foundation
public import Texel

extension FlutterImageCompress {
    /// Compresses an image in a bundle's resources, into memory.
    ///
    /// `assetName` is a path below the bundle's resources, such as `images/photo.jpg`, and cannot leave them. A package
    /// target's resources are in `Bundle.module`. The other parameters are those of ``FlutterImageCompress``.
    ///
    /// - Throws: `TexelError`; `missingFile` if there is no such resource.
    public static func compressAssetImage(
        _ assetName: String, bundle: Bundle = .main, minWidth: Int = 1920, minHeight: Int = 1080,
        inSampleSize: Int = 1, quality: Int = 95, rotate: Double = 0, autoCorrectionAngle: Bool = true,
        format: ImageFormat = .jpeg, keepExif: Bool = false, numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(TexelError) -> CompressedImage {
        guard let resources = bundle.resourcePath,
            let path = FilePath(resources).lexicallyResolving(FilePath(assetName))
        else { throw .missingFile(FilePath(assetName)) }
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return try await compression.image(from: path)
    }
}
