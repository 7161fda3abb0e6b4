import CLittleCMS
import TexelCore

/// A Little CMS transform from a profile's pixels to BGRA32 of another profile, with perceptual intent.
///
/// Several threads may use it at the same time: without a cache (`cmsFLAGS_NOCACHE`), Little CMS only reads a transform
/// once it is made. Hence `@unchecked`.
final class ColorTransform: @unchecked Sendable {
    /// The layout of the samples to be converted.
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

    /// Creates the transform.
    ///
    /// - Parameters:
    ///   - profile: the profile of the source; `nil` for sRGB.
    ///   - layout: the layout of the source.
    ///   - target: the profile of the result, for RGB; `nil` for sRGB.
    ///   - isOptimized: whether many pixels will be converted, so that preparing tables for them saves time.
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    init(
        from profile: ICCProfile?, layout: Layout, to target: ICCProfile? = nil, isOptimized: Bool = true
    ) throws(TexelError) {
        let input = try Self.open(profile)
        defer { cmsCloseProfile(input) }
        let output = try Self.open(target)
        defer { cmsCloseProfile(output) }
        // Optimised, Little CMS would reduce a grey curve to a coarse table that is ten levels off in the shadows. Only
        // 256 values are converted, so speed does not matter.
        let flags =
            (layout == .bgra ? Int32(cmsFLAGS_COPY_ALPHA) : 0)
            | (layout == .gray || !isOptimized ? Int32(cmsFLAGS_NOOPTIMIZE) : 0)
        let made = cmsCreateTransform(
            input, layout.format, output, texel_format_bgra8, cmsUInt32Number(INTENT_PERCEPTUAL),
            cmsUInt32Number(flags | Int32(cmsFLAGS_NOCACHE)))
        guard let made else { throw .unusableColorProfile("Little CMS cannot convert the colours") }
        transform = made
    }

    /// Opens a profile; sRGB if it is `nil`.
    private static func open(_ profile: ICCProfile?) throws(TexelError) -> cmsHPROFILE {
        guard let profile else {
            guard let standard = cmsCreate_sRGBProfile() else { throw .outOfMemory(byteCount: 0) }
            return standard
        }
        let opened = profile.bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32(clamping: $0.count)) }
        guard let opened else { throw .unusableColorProfile("Little CMS cannot read it") }
        return opened
    }

    deinit { cmsDeleteTransform(transform) }

    /// Converts `count` pixels. `source` and `destination` may be the same BGRA row.
    func convert(_ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(transform, source, destination, cmsUInt32Number(count))
    }
}

extension ICCProfile {
    /// The classes of profiles that describe the pixels of an image (ICC.1:2022, 7.2.5): input, display, output and
    /// colour space.
    private static let imageClasses: Set<String> = ["scnr", "mntr", "prtr", "spac"]

    /// The spaces that connect profiles of these classes (ICC.1:2022, 7.2.7).
    private static let connectionSpaces: Set<String> = ["XYZ ", "Lab "]

    /// Whether the profile describes the pixels of an image, and Little CMS can convert them to sRGB.
    package var isUsable: Bool {
        guard Self.imageClasses.contains(signature(at: 12)), Self.connectionSpaces.contains(signature(at: 20)) else {
            return false
        }
        switch colorModel {
        case .rgb: return (try? ColorTransform(from: self, layout: .bgra, isOptimized: false)) != nil
        case .gray: return (try? ColorTransform(from: self, layout: .gray, isOptimized: false)) != nil
        case .cmyk: return (try? ColorTransform(from: self, layout: .cmyk, isOptimized: false)) != nil
        case .other: return false
        }
    }

    /// Whether Little CMS can convert colours to those of the profile: it describes RGB, and not only one direction.
    package var isTarget: Bool {
        colorModel == .rgb && (try? ColorTransform(from: nil, layout: .bgra, to: self, isOptimized: false)) != nil
    }

    /// Returns the four characters at an offset in the header.
    private func signature(at offset: Int) -> String {
        String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
    }
}

/// Converts CMYK samples to opaque sRGB, with their profile if there is one.
package final class CMYKConversion {
    private let transform: ColorTransform?
    private let isInverted: Bool

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - profile: a CMYK profile; ignored if Little CMS cannot use it.
    ///   - isInverted: whether 255 means no ink, as Adobe's programs store it.
    package init(profile: ICCProfile?, isInverted: Bool) {
        self.isInverted = isInverted
        self.transform = profile.flatMap { try? ColorTransform(from: $0, layout: isInverted ? .invertedCMYK : .cmyk) }
    }

    /// Converts `count` pixels of C, M, Y, K bytes to BGRA.
    package func convert(_ source: UnsafePointer<UInt8>, to destination: UnsafeMutableRawPointer, count: Int) {
        let pixels = destination.assumingMemoryBound(to: UInt32.self)
        if let transform {
            transform.convert(source, to: destination, count: count)
            for x in 0..<count { pixels[x] |= 0xFF00_0000 }
            return
        }
        // Without a profile an ink absorbs its complement: R = (1 − C)(1 − K).
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
