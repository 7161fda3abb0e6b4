import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// Coefficients are moved; nothing is quantised again.
struct LosslessTransformRoute: PlannedRoute {
    static let route = Route.losslessTransform

    let image: PlannedImage
    let planned: PlannedEncoding
    let move: CoefficientMove
    /// Makes the result if the coefficients turn out not to be movable.
    let fallback: BufferedRoute

    var encoding: PlannedEncoding? { planned }
    var steps: [any RowStep] { fallback.steps }

    /// Moved coefficients are computed while they are written.
    var estimatedBytes: Int { image.input.coefficientLayout?.byteCount ?? 0 }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        context.rowCounter?.expect(move.size.height)
        let source = context.source
        let moved = try source.moved(
            move, settings: image.recipe.output.settings,
            metadata: writtenMetadata(source.info.metadata, size: move.size), keeping: keptParts,
            options: context.decodeOptions(frame: image.frame))
        guard let moved else { return try fallback.run(context) }
        let bytes = image.recipe.output.compresses ? try recompressed(moved.bytes, context) : moved.bytes
        let result = planned.file(bytes, size: move.size, route: Self.route, warnings: moved.warnings + trimNotes)
        let original = OriginalFile(image, context)
        guard original.isKeepable(DecoderResult(warnings: moved.warnings)) else { return result }
        return try original.file(unlessSmaller: result, by: 0, warnings: moved.warnings, recompressing: planned)
    }

    /// Codes moved coefficients again in fewer bytes.
    private func recompressed(_ moved: [UInt8], _ context: RouteContext) throws(TexelError) -> [UInt8] {
        let source = try CodecRegistry.shared.open(InputBytes(moved), limits: context.policy.limits)
        let recompressed = try source.recompressed(
            settings: planned.output.settings,
            metadata: writtenMetadata(context.source.info.metadata, size: source.info.size),
            keeping: keptParts, options: context.decodeOptions(frame: image.frame),
            parallelism: context.parallelism(), progress: nil)
        guard case .file(let bytes) = recompressed, bytes.count < moved.count else { return moved }
        return bytes
    }

    private func writtenMetadata(_ metadata: ImageMetadata, size: PixelSize) -> WrittenMetadata {
        image.writtenMetadata(metadata, size: size, to: planned.format, keepsAttachments: false)
    }

    private var keptParts: KeptParts { image.keepsColor ? [.color] : [] }

    /// Partial blocks were cut off.
    private var trimNotes: [String] {
        let (whole, kept) = (fallback.image.size, image.size)
        return whole == kept ? [] : ["partial blocks were cut off: \(whole) became \(kept)"]
    }

    var reason: String { "whole blocks are moved" }
    var explanation: [String] { ["load: all coefficients"] }
}
