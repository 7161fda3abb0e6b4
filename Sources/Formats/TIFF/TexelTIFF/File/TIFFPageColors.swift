import TexelCodecs
import TexelCore
import TexelPixels

/// The colours that a page declares, besides the layout of its samples.
struct TIFFPageColors: Sendable {
    /// The colours of the decoded pixels. Inks are converted to sRGB.
    var colorSpace = ColorSpace.sRGB
    /// The colours of the inks.
    var inkProfile: ICCProfile?
    /// The colours of a palette image.
    var palette = TIFFPalette()
    /// The conversion of YCbCr that libtiff does not convert.
    var yCbCr: TIFFYCbCr
    /// Whether the file ends before something that the colours depend on.
    var isCutOff = false
    /// Why the profile is ignored.
    var fault: String?

    /// Reads the fields; waits for their values.
    ///
    /// - Throws: `damaged`, `limitExceeded`, `stopped`.
    init(
        _ directory: TIFFFileDirectory, _ layout: TIFFLayout, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) {
        yCbCr = TIFFYCbCr(
            coefficients: try input.rationals(TIFFTag.yCbCrCoefficients, in: directory, limit: 3, stop),
            reference: try input.rationals(TIFFTag.referenceBlackWhite, in: directory, limit: 6, stop))
        if layout.color == .palette {
            palette = try Self.palette(of: directory, layout, in: input, stop)
            isCutOff = palette.isCutOff
        }
        guard let profile = try Self.profile(of: directory, layout, in: input, stop) else {
            isCutOff = isCutOff || directory[TIFFTag.profile]?.range != nil
            return
        }
        fault = profile.fault
        if layout.color == .cmyk { inkProfile = profile.profile } else { colorSpace = profile.colorSpace() }
    }

    /// Reads the colours of a palette image.
    ///
    /// - Throws: `damaged` without ColorMap, `stopped`.
    static func palette(
        of directory: TIFFFileDirectory, _ layout: TIFFLayout, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) -> TIFFPalette {
        guard let entry = directory[TIFFTag.colorMap] else { throw .tiff(.missing("ColorMap")) }
        let count = 3 << layout.bits
        let numbers = try input.integers(TIFFTag.colorMap, in: directory, limit: count, stop)
        return TIFFPalette(numbers, isCutOff: numbers.count < min(count, entry.count))
    }

    /// Reads the profile; `nil` without one, and if the file ends before it.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    static func profile(
        of directory: TIFFFileDirectory, _ layout: TIFFLayout, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) -> EmbeddedProfile? {
        guard let entry = directory[TIFFTag.profile], let bytes = try input.bytes(of: entry, stop) else { return nil }
        let models: Set<ICCProfile.ColorModel> =
            switch layout.color {
            case .cmyk: [.cmyk]
            case .gray: [.gray, .rgb]
            case .rgb, .palette, .yCbCr: [.rgb]
            }
        return EmbeddedProfile(bytes, for: models)
    }
}
