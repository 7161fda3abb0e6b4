import TexelCore
import TexelPixels

@testable import TexelCodecs

extension FuzzTarget {
    /// Parses and rewrites EXIF blocks.
    static let exif = FuzzTarget("exif", maximumLength: 1 << 13) { bytes, choices in
        guard let exif = EXIF(bytes) else { return }
        _ = (exif.summary, exif.density, exif.orientation)
        let orientation = choices.one(of: Orientation.allCases)
        let size = PixelSize(width: 1 + choices.index(below: 70_000), height: 1 + choices.index(below: 9))
        let keepsThumbnail = choices.isSet()
        func rewritten(_ exif: EXIF, _ policy: MetadataPolicy) -> [UInt8]? {
            exif.rewritten(for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail)
        }
        expect(rewritten(exif, .none) == nil && rewritten(exif, .color) == nil, "these policies keep no EXIF")
        if let block = rewritten(exif, .privacy) {
            guard let copy = EXIF(block) else { return expect(false, "a private block is EXIF") }
            expect((copy.orientation ?? .identity) == orientation, "a private block says how the pixels lie")
            expect(!copy.hasGPS && !copy.hasThumbnail, "a private block tells no place and shows no picture")
            expect(rewritten(copy, .privacy) == block, "a private block stays as it is")
        }
        if let block = rewritten(exif, .all) {
            guard let copy = EXIF(block) else { return expect(false, "a corrected block is EXIF") }
            expect(keepsThumbnail || !copy.hasThumbnail, "the thumbnail of another picture goes")
        }
    }

    /// Parses and rewrites XMP packets.
    static let xmp = FuzzTarget("xmp", maximumLength: 1 << 13) { bytes, choices in
        guard let xmp = XMP(bytes) else { return }
        let orientation = choices.one(of: Orientation.allCases)
        let keepsThumbnail = choices.isSet()
        func rewritten(_ xmp: XMP, _ policy: MetadataPolicy) -> [UInt8]? {
            xmp.rewritten(
                for: policy, orientation: orientation, size: PixelSize(width: 640, height: 48),
                keepsThumbnail: keepsThumbnail)
        }
        if let packet = rewritten(xmp, .all) {
            guard let copy = XMP(packet), copy.reader != nil else { return expect(false, "a corrected packet is XMP") }
            expect(xmp.orientation == nil || copy.orientation == orientation, "a packet says how the pixels lie")
            expect(rewritten(copy, .all) == packet, "a corrected packet stays as it is")
        }
        if let packet = rewritten(xmp, .privacy) {
            guard let copy = XMP(packet), copy.reader != nil else { return expect(false, "a private packet is XMP") }
            expect(copy.orientation == nil, "a private packet tells the copyright alone")
        }
    }

    /// Parses colour profiles and converts pixels with them through Little CMS.
    static let icc = FuzzTarget("icc", maximumLength: 1 << 14) { bytes in
        guard let profile = ICCProfile(bytes) else { return }
        let space = ColorSpace.iccProfile(profile)
        _ = profile.name
        do throws(TexelError) {
            let image = try PixelBuffer(width: 5, height: 3, filledWith: 0x8040_C0FF, colorSpace: space)
            let converted = try image.convertedToSRGB()
            expect(converted.size == image.size && converted.colorSpace == .sRGB, "a conversion ends in sRGB")
            let keepsAlpha = converted.withUnsafePixels { pixels in
                (0..<3).allSatisfy { y in
                    (0..<5).allSatisfy { pixels[y * converted.pixelsPerRow + $0] >> 24 == 0x80 }
                }
            }
            expect(keepsAlpha, "a conversion leaves alpha alone")
        } catch {
            expectSentence(error)
        }
        for isInverted in [false, true] {
            let inks = CMYKConversion(profile: profile.colorModel == .cmyk ? profile : nil, isInverted: isInverted)
            let samples = (0..<64).map { UInt8($0 * 4) }
            var pixels = [UInt32](repeating: 0, count: 16)
            pixels.withUnsafeMutableBytes { pixels in
                if let base = pixels.baseAddress { inks.convert(samples, to: base, count: 16) }
            }
            expect(pixels.allSatisfy { $0 >= 0xFF00_0000 }, "inks are opaque")
        }
    }
}
