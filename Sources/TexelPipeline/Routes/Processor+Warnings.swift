import TexelCodecs
import TexelPixels

/// What a result lacks of its input, each in one sentence.
extension Processor {
    /// The result with a warning for whatever the file holds besides its image and the result does not.
    func notingAttachments(_ image: EncodedImage) throws(PipelineError) -> EncodedImage {
        let hasOwnPixels = image.isKept || image.route == .passthrough || image.route == .recompress
        if hasOwnPixels, keepsAttachments { return image }
        let attachments = try PipelineError.wrapping { () throws(CodecError) in try source.attachments(stopCheck) }
        var image = image
        image.warnings += attachments.map { "the \($0.rawValue) beside the image was dropped" }.sorted()
        return image
    }

    /// The bits that new pixels do not hold.
    var bitLosses: [String] {
        let depth = source.info.bitDepth
        return depth > 8 ? ["\(depth) bits per sample were reduced to 8"] : []
    }

    /// The inks that pixels do not hold.
    var inkLosses: [String] { source.info.hasInks ? ["the CMYK colours were converted to sRGB"] : [] }

    /// The range of brightness that the result does not have.
    var rangeLosses: [String] {
        guard source.info.colorSpace.isHighDynamicRange, plan.steps.contains(.convertToSRGB) else { return [] }
        return ["the high dynamic range was compressed to that of sRGB"]
    }

    /// Why a JPEG whose pixels were only moved was encoded again.
    var encodingNotes: [String] {
        guard let quantization = plan.quantization else { return [] }
        let reason =
            if case .impossible(let obstacle) = plan.losslessTransform { "\(obstacle)" } else {
                "its coefficients cannot be moved"
            }
        return ["encoded again at its own quality (about \(quantization.nearestQuality)): \(reason)"]
    }

    /// What the recipe lost to a cut between blocks.
    var trimNotes: [String] {
        let (whole, kept) = (plan.untrimmedSize, plan.outputSize)
        return whole == kept ? [] : ["partial blocks were cut off: \(whole) became \(kept)"]
    }

    /// Whether new pixels were written with less effort than was asked for.
    var effortNotes: [String] {
        guard plan.output.effort != recipe.output.effort else { return [] }
        return [
            "so large a picture (\(plan.outputSize)) was encoded with effort \(plan.output.effort.rawValue), "
                + "not \(recipe.output.effort.rawValue)"
        ]
    }
}
