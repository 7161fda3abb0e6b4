package import TexelCodecs
import TexelOperations
import TexelPixels

/// What a file loses when its image becomes 8-bit pixels, as warnings.
package struct LossNotes {
    let steps: [any PixelStep]
    let info: ImageInfo
    let recipe: Recipe

    init(steps: [any PixelStep], info: ImageInfo, recipe: Recipe) {
        (self.steps, self.info, self.recipe) = (steps, info, recipe)
    }

    /// Notes about pixels that a recipe without operations makes of a file.
    ///
    /// - Parameter convertsColors: whether their colours are converted to sRGB afterwards.
    package init(_ info: ImageInfo, _ recipe: Recipe, convertsColors: Bool) {
        self.init(steps: convertsColors ? [ConvertColors(to: .sRGB)] : [], info: info, recipe: recipe)
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

    private var convertsColors: Bool { steps.contains { $0 is ConvertColors } }

    /// Only one image of a file of several is written.
    var pages: [String] {
        recipe.frame == nil && info.pageCount > 1 ? ["only the first of \(info.pageCount) images was written"] : []
    }
}
