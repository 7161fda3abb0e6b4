import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

/// How a route encodes its result as a file. A class for the same reason as ``PlannedImage``.
final class PlannedEncoding: Sendable {
    let format: ImageFormat
    /// The recipe's options, with less effort for a very large image if the format needs it.
    let output: OutputOptions
    /// The encoder's options; `nil` if the format cannot be written.
    let encoding: ImageEncoding?
    /// How colours are reduced; `nil` if they are not.
    let palette: PaletteOptions?
    /// The input's own quantisation, if its pixels are moved and encoded again and no quality is given.
    let quantization: DCTQuantization?
    /// Whether the result is so large that `balanced` effort must work on one part of it after another.
    let savesMemory: Bool
    /// Whether moving the coefficients gives the result.
    let losslessTransform: LosslessTransform

    init(
        format: ImageFormat, output: OutputOptions, encoding: ImageEncoding?, palette: PaletteOptions?,
        quantization: DCTQuantization?, savesMemory: Bool, losslessTransform: LosslessTransform
    ) {
        self.format = format
        self.output = output
        self.encoding = encoding
        self.palette = palette
        self.quantization = quantization
        self.savesMemory = savesMemory
        self.losslessTransform = losslessTransform
    }

    /// - Throws: `cannotEncode` if the format cannot be written.
    func options() throws(TexelError) -> any FormatOptions {
        guard let encoding else {
            throw .cannotEncode(
                format.refusalToWrite ?? "Texel does not write \(format.displayName); choose another format")
        }
        return encoding.options
    }

    /// The work of encoding an image of this height, in rows of decoding.
    func rows(height: Int) -> Int { height * (encoding?.options.rowsOfWork ?? 0) }

    /// The least gain, as a share of the input's bytes, for which a result is accepted instead of the input's own
    /// pixel data.
    var minimumGain: Double { encoding?.options.isLossy ?? false ? output.minimumGain : 0 }

    /// A file of this format.
    func file(_ bytes: [UInt8], size: PixelSize, route: Route, warnings: [String]) -> EncodedImage {
        file(.memory(bytes), size: size, route: route, warnings: warnings)
    }

    /// A file of this format.
    func file(_ content: EncodedBytes, size: PixelSize, route: Route, warnings: [String]) -> EncodedImage {
        EncodedImage(content, size: size, format: format, route: route, isKept: false, warnings: warnings)
    }

    /// - Throws: `notLossless` if pixels would be encoded with loss although the recipe allows only the file's own
    ///   coefficients.
    func refuseLoss() throws(TexelError) {
        guard output.isLossless || output.trimsPartialBlocks, !format.capabilities.isLossless,
            encoding?.options.isLossy ?? true
        else { return }
        switch losslessTransform {
        case .impossible(let obstacle): throw .notLossless("\(obstacle)")
        case .possible: throw .notLossless("its coefficients cannot be copied")
        case .inapplicable where output.isLossless:
            throw .notLossless("new pixels are encoded as a \(format.displayName)")
        case .inapplicable: return
        }
    }

    // MARK: Warnings

    /// Why a JPEG whose pixels only moved was encoded again.
    var qualityNotes: [String] {
        guard let quantization else { return [] }
        let reason =
            if case .impossible(let obstacle) = losslessTransform { "\(obstacle)" } else {
                "its coefficients cannot be moved"
            }
        return ["encoded again at its own quality (about \(quantization.nearestQuality)): \(reason)"]
    }

    /// The image is so large that it was encoded with less effort than the recipe's.
    func effortNotes(_ image: PlannedImage) -> [String] {
        let requested = image.recipe.output.effort
        guard output.effort != requested else { return [] }
        return [
            "encoded with effort \(output.effort.rawValue), not \(requested.rawValue): "
                + "the image is large (\(image.size))"
        ]
    }
}
