import TexelCodecs
import TexelPixels

/// What a page says about its colours, besides the layout of its samples.
struct TIFFPageColors: Sendable {
    /// The colours of the decoded pixels. Inks are converted to sRGB.
    var colorSpace = ColorSpace.sRGB
    /// The colours of the inks.
    var inkProfile: ICCProfile?
    /// The three channels of ColorMap, one after another.
    var palette: [Int] = []
    /// The conversion of YCbCr that libtiff does not convert.
    var yCbCr: TIFFYCbCr
    /// Whether the file ends before something that the colours depend on.
    var isCutOff = false
    /// Why the profile is ignored.
    var warning: String?

    /// Reads the fields; waits for their values.
    ///
    /// - Throws: `damaged`, `limitExceeded`, `stopped`.
    init(
        _ directory: TIFFFileDirectory, _ layout: TIFFLayout, in input: TIFFInput, _ stop: StopToken?
    ) throws(CodecError) {
        yCbCr = TIFFYCbCr(
            coefficients: try input.rationals(TIFFTag.yCbCrCoefficients, in: directory, limit: 3, stop),
            reference: try input.rationals(TIFFTag.referenceBlackWhite, in: directory, limit: 6, stop))
        if layout.color == .palette {
            guard let entry = directory[TIFFTag.colorMap] else { throw .tiff(.missing("ColorMap")) }
            let count = 3 << layout.bits
            palette = try input.integers(TIFFTag.colorMap, in: directory, limit: count, stop)
            isCutOff = palette.count < min(count, entry.count)
            // Shorter maps have fewer colours.
            palette.removeLast(palette.count % 3)
        }
        guard let entry = directory[TIFFTag.profile] else { return }
        guard let bytes = try input.bytes(of: entry, stop) else {
            isCutOff = isCutOff || entry.range != nil
            return
        }
        guard let profile = ICCProfile(bytes) else {
            warning = "the colour profile is damaged"
            return
        }
        switch (profile.colorModel, layout.color) {
        case (.cmyk, .cmyk): inkProfile = profile
        case (.gray, .gray): colorSpace = .iccProfile(profile)
        case (.rgb, .rgb), (.rgb, .palette), (.rgb, .yCbCr), (.rgb, .gray): colorSpace = .iccProfile(profile)
        default: warning = "the colour profile does not fit the pixels"
        }
    }
}
