package import TexelCodecs
import TexelPixels

/// Warnings about the losses of a file whose image becomes 8-bit pixels.
package struct LossNotes {
    private let info: ImageInfo
    private let recipe: Recipe
    private let convertsColors: Bool

    /// - Parameters:
    ///   - info: the header of the file.
    ///   - recipe: what is done with it.
    ///   - convertsColors: whether the colours of the decoded pixels are converted.
    package init(_ info: ImageInfo, _ recipe: Recipe, convertsColors: Bool) {
        (self.info, self.recipe, self.convertsColors) = (info, recipe, convertsColors)
    }

    /// All losses.
    package var all: [String] { bits + inks + range + gamut + pages }

    /// More than 8 bits per sample become 8.
    var bits: [String] {
        guard info.bitDepth > 8 else { return [] }
        let dithers = recipe.dithers && info.format.capabilities.dithers
        return ["\(info.bitDepth) bits per sample were reduced to 8" + (dithers ? ", with dithering" : "")]
    }

    /// CMYK becomes RGB.
    var inks: [String] { info.isCMYK ? ["the CMYK colours were converted to sRGB"] : [] }

    /// High dynamic range is tone-mapped.
    var range: [String] {
        guard info.colorSpace.isHighDynamicRange, convertsColors else { return [] }
        return ["the high dynamic range was compressed to that of sRGB"]
    }

    /// The format stores no profile, so that colours beyond sRGB are clipped. Greys are not.
    var gamut: [String] {
        if case .iccProfile(let profile) = info.colorSpace, profile.colorModel != .rgb { return [] }
        guard recipe.output.metadata != .none, recipe.output.colorSpace == nil, info.colorSpace.hasProfile,
            !info.isCMYK, convertsColors
        else { return [] }
        return ["the colours were converted to sRGB, because the format stores no others"]
    }

    /// Only one image of a file of several is written.
    var pages: [String] {
        recipe.frame == nil && info.pageCount > 1 ? ["only the first of \(info.pageCount) images was written"] : []
    }
}
