import TexelCodecs
import TexelPixels

extension BMPFields {
    /// LCS_CALIBRATED_RGB.
    private static let calibrated: UInt32 = 0
    /// PROFILE_EMBEDDED: "MBED".
    private static let embedded: UInt32 = 0x4D42_4544

    /// The range of the ICC profile if the header names one; `nil` otherwise. A linked profile is a file name, which is
    /// not followed.
    var profileRange: Range<Int>? {
        colorSpaceType == Self.embedded && !profile.isEmpty ? profile : nil
    }

    /// The colour space that the header describes by itself.
    ///
    /// The header has no white point. Browsers assume D65, and so does this. Values that describe no display are
    /// ignored: many writers leave the fields 0.
    var calibratedColorSpace: ColorSpace {
        guard colorSpaceType == Self.calibrated else { return .sRGB }
        let space = ColorSpace.calibrated(Calibration(gamma: fileGamma, chromaticities: chromaticities))
        // There is no profile for colours that are those of sRGB.
        guard let profile = try? space.embeddableProfile(), profile.bytes.count > 0 else { return .sRGB }
        return space
    }

    /// The exponent from light to samples × 100,000; `nil` without one, or if the channels have different ones, which
    /// `Calibration` cannot express.
    ///
    /// The fields are not documented well. Some writers store this exponent, about 0.45, and others its reciprocal,
    /// about 2.2. They differ in the side of 1 on which they are: displays darken the middle of the range.
    private var fileGamma: UInt32? {
        let gammas = gammas
        guard gammas[0] > 0, gammas.allSatisfy({ $0 == gammas[0] }) else { return nil }
        let (gamma, one) = (gammas[0], 1 << 16)
        let exponent = gamma <= one ? (100_000 * gamma + one / 2) / one : (100_000 * one + gamma / 2) / gamma
        return UInt32(clamping: max(1, exponent))
    }

    private var chromaticities: Calibration.Chromaticities? {
        let values = endpoints
        func point(_ index: Int) -> (Int32, Int32)? {
            let (x, y, z) = (values[3 * index], values[3 * index + 1], values[3 * index + 2])
            // Each is below 2³¹.
            let sum = x + y + z
            guard x >= 0, y > 0, z >= 0 else { return nil }
            return (Int32(clamping: (x * 100_000 + sum / 2) / sum), Int32(clamping: (y * 100_000 + sum / 2) / sum))
        }
        guard let red = point(0), let green = point(1), let blue = point(2) else { return nil }
        return Calibration.Chromaticities(white: (31270, 32900), red: red, green: green, blue: blue)
    }

    /// The density; `nil` without one.
    var density: PixelDensity? {
        PixelDensity(
            horizontal: Rational(UInt32(max(0, horizontalDensity))),
            vertical: Rational(UInt32(max(0, verticalDensity))), unit: .perMetre)
    }
}
