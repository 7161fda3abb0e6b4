import TexelCodecs
import TexelOperations
import TexelPixels

/// What a file loses when its image becomes 8-bit pixels, as warnings.
struct LossNotes {
    let steps: [any PixelStep]
    let info: ImageInfo

    /// All losses.
    var all: [String] { bits + inks + range }

    /// More than 8 bits per sample become 8.
    var bits: [String] { info.bitDepth > 8 ? ["\(info.bitDepth) bits per sample were reduced to 8"] : [] }

    /// CMYK becomes RGB.
    var inks: [String] { info.isCMYK ? ["the CMYK colours were converted to sRGB"] : [] }

    /// High dynamic range is tone-mapped.
    var range: [String] {
        guard info.colorSpace.isHighDynamicRange, steps.contains(where: { $0 is ConvertToSRGB }) else { return [] }
        return ["the high dynamic range was compressed to that of sRGB"]
    }
}
