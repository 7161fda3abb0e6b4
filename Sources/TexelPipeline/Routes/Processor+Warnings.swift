import TexelCodecs
import TexelPixels

/// Warnings about what the result does not hold, each a sentence.
extension Processor {
    /// Returns the result with a warning for each attachment of the input that was dropped.
    func notingAttachments(_ image: EncodedImage) throws(PipelineError) -> EncodedImage {
        let hasOwnPixels = image.isKept || image.route == .passthrough || image.route == .recompress
        if hasOwnPixels, keepsAttachments { return image }
        let attachments = try PipelineError.wrapping { () throws(CodecError) in try source.attachments(stopCheck) }
        var image = image
        image.warnings += attachments.map { "the additional \($0.rawValue) was dropped" }.sorted()
        return image
    }

    /// 16-bit samples become 8-bit pixels.
    var bitLosses: [String] {
        let depth = source.info.bitDepth
        return depth > 8 ? ["\(depth) bits per sample were reduced to 8"] : []
    }

    /// CMYK becomes RGB.
    var inkLosses: [String] { source.info.isCMYK ? ["the CMYK colours were converted to sRGB"] : [] }

    /// High dynamic range is tone-mapped.
    var rangeLosses: [String] {
        guard source.info.colorSpace.isHighDynamicRange, plan.steps.contains(.convertToSRGB) else { return [] }
        return ["the high dynamic range was compressed to that of sRGB"]
    }

    /// Why a JPEG whose pixels only moved was encoded again.
    var encodingNotes: [String] {
        guard let quantization = plan.quantization else { return [] }
        let reason =
            if case .impossible(let obstacle) = plan.losslessTransform { "\(obstacle)" } else {
                "its coefficients cannot be moved"
            }
        return ["encoded again at its own quality (about \(quantization.nearestQuality)): \(reason)"]
    }

    /// Partial blocks were cut off.
    var trimNotes: [String] {
        let (whole, kept) = (plan.untrimmedSize, plan.outputSize)
        return whole == kept ? [] : ["partial blocks were cut off: \(whole) became \(kept)"]
    }

    /// The image is so large that it was encoded with less effort than the recipe's.
    var effortNotes: [String] {
        guard plan.output.effort != recipe.output.effort else { return [] }
        return [
            "encoded with effort \(plan.output.effort.rawValue), not \(recipe.output.effort.rawValue): "
                + "the image is large (\(plan.outputSize))"
        ]
    }
}
