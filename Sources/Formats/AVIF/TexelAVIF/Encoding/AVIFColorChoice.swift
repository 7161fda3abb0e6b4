import TexelCodecs
import TexelCore
import TexelPixels

/// How the colours of an image are declared in an AVIF.
struct AVIFColorChoice {
    /// The numbers of ITU-T H.273; 2 if there is a profile.
    private(set) var primaries = 1
    private(set) var transfer = 13
    private(set) var profile: [UInt8]?

    /// - Throws: errors of pixels for a calibration that describes no display.
    init(_ colorSpace: ColorSpace) throws(TexelError) {
        switch colorSpace {
        case .sRGB: break
        case .codePoints(let points): (primaries, transfer) = (points.primaries, points.transfer)
        case .calibrated, .iccProfile:
            profile = try colorSpace.embeddableProfile()?.bytes
            if profile != nil { (primaries, transfer) = (2, 2) }
        }
    }

    /// Returns the image with straight alpha, in colours that can be declared: those of RGB in full range, or grey with
    /// a profile for grey.
    static func prepared(_ image: consuming PixelBuffer) throws(TexelError) -> PixelBuffer {
        let result = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
        switch result.colorSpace {
        case .iccProfile(let profile) where profile.colorModel != .rgb:
            let isGray = profile.colorModel == .gray && result.isGray
            return isGray ? result : try result.convertedToSRGB()
        case .codePoints(let points) where !points.isFullRange: return try result.convertedToSRGB()
        default: return result
        }
    }
}
