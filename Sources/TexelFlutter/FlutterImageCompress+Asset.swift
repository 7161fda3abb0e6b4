public import Foundation
public import Texel

extension FlutterImageCompress {
    /// Compresses a picture among a bundle's resources, into memory.
    ///
    /// - Parameters:
    ///   - assetName: its path below the bundle's resources, such as `images/photo.jpg`; it cannot leave them.
    ///   - bundle: `Bundle.module` holds the resources of a package's target.
    /// - Throws: `PipelineError`; `file(.missing)` where there is no such resource.
    public static func compressAssetImage(
        _ assetName: String, bundle: Bundle = .main, minWidth: Int = 1920, minHeight: Int = 1080,
        inSampleSize: Int = 1, quality: Int = 95, rotate: Double = 0, autoCorrectionAngle: Bool = true,
        format: ImageFormat = .jpeg, keepExif: Bool = false, numberOfRetries: Int = 5, limits: Limits = Limits()
    ) async throws(PipelineError) -> CompressedImage {
        guard let resources = bundle.resourcePath,
            let path = FilePath(resources).lexicallyResolving(FilePath(assetName))
        else { throw .file(.missing(FilePath(assetName))) }
        let compression = Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: quality, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: format, keepExif: keepExif,
            numberOfRetries: numberOfRetries, limits: limits)
        return try await compression.image(from: path)
    }
}
