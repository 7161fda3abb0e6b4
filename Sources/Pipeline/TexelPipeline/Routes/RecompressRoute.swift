import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// The samples are compressed again, at their own bit depth and with all frames of an animation; or the coefficients
/// are coded again.
struct RecompressRoute: PlannedRoute {
    static let route = Route.recompress

    let image: PlannedImage
    let planned: PlannedEncoding
    /// Makes the result if the file is damaged, or if pixels of 8 bits hold the samples.
    let fallback: BufferedRoute
    /// Makes the result if a file with several frames is damaged.
    let animatedFallback: AnimatedRoute?

    var encoding: PlannedEncoding? { planned }
    var steps: [any RowStep] { fallback.steps }

    var estimatedBytes: Int {
        PlannedImage.wholeBytes(codec?.workingBytes(recompressing: image.input) ?? 0)
    }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        guard let warnings = try context.warnings(beforeCopying: image.frame) else {
            if let animatedFallback { return try animatedFallback.run(context) }
            return try fallback.run(context)
        }
        let original = OriginalFile(image, context)
        switch try planned.recompressed(image, context) {
        case .file(let bytes):
            let result = planned.file(bytes, size: context.source.info.size, route: Self.route, warnings: warnings)
            return original.isKeepable() ? try original.file(unlessSmaller: result, by: 0, warnings: warnings) : result
        case .impossible: return try original.file(isKept: true, warnings: warnings)
        case .fitsEightBits: return try fallback.run(context, keepsAllBits: true)
        }
    }

    private var codec: (any RecompressingCodec)? { planned.format.codec as? any RecompressingCodec }

    var reason: String { codec?.recompressionReason ?? "" }
    var explanation: [String] { ["load: \(codec?.recompressedData ?? "")"] }
}

extension PlannedEncoding {
    /// Compresses the samples or coefficients of the input again.
    func recompressed(_ image: PlannedImage, _ context: RouteContext) throws(TexelError) -> Recompressed {
        // Decoding has counted these rows already.
        var options = context.decodeOptions(frame: image.frame)
        options.rowCounter = nil
        let rows = rows(height: image.size.height)
        context.rowCounter?.expect(rows)
        let source = context.source
        return try source.recompressed(
            settings: output.settings,
            metadata: image.writtenMetadata(
                source.info.metadata, size: source.info.size, to: format, keepsAttachments: image.keepsAttachments),
            keeping: image.keptParts(keepsColor: image.keepsColor), options: options,
            parallelism: context.parallelism(), progress: context.encodingProgress(rows: rows))
    }
}
