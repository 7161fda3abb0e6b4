import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// The file is stored in one of another format, from which it can be restored byte for byte; or it is restored.
struct TranscodeRoute: PlannedRoute {
    static let route = Route.transcode

    let image: PlannedImage
    let planned: PlannedEncoding
    /// Whether the input stores a file of the result's format.
    let isRestored: Bool
    /// Makes the result if that is not possible.
    let fallback: BufferedRoute

    var encoding: PlannedEncoding? { planned }
    var steps: [any RowStep] { fallback.steps }

    var estimatedBytes: Int {
        let codec = (isRestored ? image.input.format : planned.format).codec as? any StoringCodec
        return PlannedImage.wholeBytes(codec?.workingBytes(storing: image.input) ?? 0)
    }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        guard let warnings = try context.warnings(beforeCopying: nil) else { return try fallback.run(context) }
        let rows = planned.rows(height: image.size.height)
        context.rowCounter?.expect(rows)
        let made = try isRestored ? restored(context) : stored(context, rows: rows)
        if let made { return planned.file(made, size: image.size, route: Self.route, warnings: warnings) }
        var result = try fallback.run(context)
        let (from, to) = (image.input.format.displayName, planned.format.displayName)
        result.warnings.append(
            isRestored
                ? "the \(to) in the \(from) cannot be restored exactly; the pixels were encoded again"
                : "the \(from) cannot be restored exactly from a \(to); its pixels were encoded")
        return result
    }

    /// Whether the bytes of the input are stored or restored as they are.
    private var keepsAllBytes: Bool { image.recipe.output.metadata == .all && image.recipe.output.density == nil }

    /// Returns the file with the metadata that the recipe keeps.
    private func kept(_ source: any ImageFile, _ context: RouteContext) throws(TexelError) -> [UInt8] {
        try source.rewritten(
            metadata: image.writtenMetadata(
                source.info.metadata, size: source.info.size, to: source.info.format,
                keepsAttachments: image.keepsAttachments),
            keeping: image.keptParts(keepsColor: image.keepsColor), stop: context.stop)
    }

    private func stored(_ context: RouteContext, rows: Int) throws(TexelError) -> [UInt8]? {
        guard let codec = planned.format.codec as? any StoringCodec else { return nil }
        let file =
            keepsAllBytes ? try context.source.wholeFile(context.stop) : InputBytes(try kept(context.source, context))
        return try codec.stored(
            file, settings: planned.output.settings, limits: context.policy.limits, stop: context.stop,
            parallelism: context.parallelism(), progress: context.encodingProgress(rows: rows))
    }

    private func restored(_ context: RouteContext) throws(TexelError) -> [UInt8]? {
        var options = context.decodeOptions(frame: nil)
        options.rowCounter = nil
        guard let bytes = try context.source.storedFile(options) else { return nil }
        // Only a file that can be opened again is a result.
        let source = try CodecRegistry.shared.open(InputBytes(bytes), limits: context.policy.limits)
        guard source.info.format == planned.format, source.info.size == image.size else { return nil }
        return keepsAllBytes ? bytes : try kept(source, context)
    }

    var reason: String {
        isRestored ? "the file stores a \(planned.format.displayName)" : "the file itself is stored, not its pixels"
    }
    var explanation: [String] { ["load: all coefficients"] }
}
