import CLittleCMS

/// A Little CMS transform from a profile's pixels to sRGB as BGRA32, perceptual intent.
///
/// Not `Sendable`: it belongs to the row loop that made it.
final class ColorTransform {
    /// How the samples handed over lie in memory.
    enum Layout {
        case bgra, gray, cmyk, invertedCMYK

        fileprivate var format: cmsUInt32Number {
            switch self {
            case .bgra: texel_format_bgra8
            case .gray: texel_format_gray8
            case .cmyk: texel_format_cmyk8
            case .invertedCMYK: texel_format_cmyk8_inverted
            }
        }
    }

    private let transform: cmsHTRANSFORM

    /// - Throws: `unusableColorProfile`.
    init(from profile: ICCProfile, layout: Layout) throws(PixelBufferError) {
        let input = profile.bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32(clamping: $0.count)) }
        guard let input else { throw .unusableColorProfile("Little CMS cannot read it") }
        defer { cmsCloseProfile(input) }
        guard let output = cmsCreate_sRGBProfile() else { throw .outOfMemory(byteCount: 0) }
        defer { cmsCloseProfile(output) }
        // Little CMS would squeeze a grey curve into a coarse table, ten levels off in the shadows; only 256 values
        // are asked for, so there is no haste.
        let flags: Int32 =
            switch layout {
            case .bgra: Int32(cmsFLAGS_COPY_ALPHA)
            case .gray: Int32(cmsFLAGS_NOOPTIMIZE)
            case .cmyk, .invertedCMYK: 0
            }
        let made = cmsCreateTransform(
            input, layout.format, output, texel_format_bgra8, cmsUInt32Number(INTENT_PERCEPTUAL),
            cmsUInt32Number(flags | Int32(cmsFLAGS_NOCACHE)))
        guard let made else { throw .unusableColorProfile("it has no transform to sRGB") }
        transform = made
    }

    deinit { cmsDeleteTransform(transform) }

    /// Converts `count` pixels; `source` and `destination` may be the same BGRA row.
    func convert(_ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(transform, source, destination, cmsUInt32Number(count))
    }
}

/// CMYK samples into opaque sRGB, by their profile where there is one.
package final class InkConversion {
    private let transform: ColorTransform?
    private let isInverted: Bool

    /// - Parameters:
    ///   - profile: a CMYK profile; one that Little CMS cannot use counts as none.
    ///   - isInverted: whether 255 means no ink, as Adobe's programs write it.
    package init(profile: ICCProfile?, isInverted: Bool) {
        self.isInverted = isInverted
        self.transform = profile.flatMap { try? ColorTransform(from: $0, layout: isInverted ? .invertedCMYK : .cmyk) }
    }

    /// Converts `count` pixels of C, M, Y, K bytes into BGRA.
    package func convert(_ source: UnsafePointer<UInt8>, to destination: UnsafeMutableRawPointer, count: Int) {
        let pixels = destination.assumingMemoryBound(to: UInt32.self)
        if let transform {
            transform.convert(source, to: destination, count: count)
            for x in 0..<count { pixels[x] |= 0xFF00_0000 }
            return
        }
        // Without a profile an ink takes away its complement: R = (1 − C)(1 − K).
        let flip: UInt8 = isInverted ? 0 : 0xFF
        for x in 0..<count {
            let black = UInt32(source[4 * x + 3] ^ flip)
            let red = (UInt32(source[4 * x] ^ flip) * black + 127) / 255
            let green = (UInt32(source[4 * x + 1] ^ flip) * black + 127) / 255
            let blue = (UInt32(source[4 * x + 2] ^ flip) * black + 127) / 255
            pixels[x] = 0xFF00_0000 | red << 16 | green << 8 | blue
        }
    }
}
