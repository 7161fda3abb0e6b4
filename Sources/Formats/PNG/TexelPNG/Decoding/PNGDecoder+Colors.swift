import CPNGShim
import TexelCodecs
import TexelPixels

// The colours that the chunks before the pixels declare.
extension PNGDecoder {
    /// Returns the palette as straight pixels 0xAARRGGBB; empty for files without one.
    static func palette(of decoder: OpaquePointer) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: 256) { colors, count in
            count = Int(texel_png_decoder_palette(decoder, colors.baseAddress))
        }
    }

    /// Returns the samples of the transparent colour; `nil` for files without one.
    static func colorKey(of decoder: OpaquePointer) -> [UInt16]? {
        let key = [UInt16](unsafeUninitializedCapacity: 3) { samples, count in
            count = Int(texel_png_decoder_color_key(decoder, samples.baseAddress))
        }
        return key.isEmpty ? nil : key
    }

    /// Returns the ICC profile of a file that has one. libpng does not return profiles that it refuses.
    static func profile(of decoder: OpaquePointer) -> EmbeddedProfile {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard texel_png_decoder_profile(decoder, &bytes, &count), let bytes else { return .damaged }
        return EmbeddedProfile(Array(UnsafeBufferPointer(start: bytes, count: count)), for: [.gray, .rgb])
    }

    /// Returns the colour space without regard to cICP, which takes precedence over all others, and iCCP, which takes
    /// precedence over sRGB. sRGB takes precedence over gAMA and cHRM (PNG specification, third edition, 12.13.1).
    static func colorSpace(of decoder: OpaquePointer) -> ColorSpace {
        if texel_png_decoder_is_srgb(decoder) { return .sRGB }
        var gamma: UInt32 = 0
        let hasGamma = texel_png_decoder_gamma(decoder, &gamma)
        var values = [Int32](repeating: 0, count: 8)
        let hasChromaticities = texel_png_decoder_chromaticities(decoder, &values)
        guard hasGamma || hasChromaticities else { return .sRGB }
        return .calibrated(
            Calibration(
                gamma: hasGamma ? gamma : nil,
                chromaticities: hasChromaticities
                    ? Calibration.Chromaticities(
                        white: (values[0], values[1]), red: (values[2], values[3]),
                        green: (values[4], values[5]), blue: (values[6], values[7]))
                    : nil))
    }
}
