import TexelCodecs
import TexelPixels

/// How the colours of an image are declared in an AVIF.
struct AVIFColorChoice {
    /// The numbers of ITU-T H.273; 2 if there is a profile.
    private(set) var primaries = 1
    private(set) var transfer = 13
    private(set) var profile: [UInt8]?

    /// - Throws: `pixels` for a calibration that describes no display.
    init(_ colorSpace: ColorSpace) throws(CodecError) {
        switch colorSpace {
        case .sRGB: break
        case .codePoints(let points): (primaries, transfer) = (points.primaries, points.transfer)
        case .calibrated, .iccProfile:
            do {
                profile = try colorSpace.embeddableProfile()?.bytes
            } catch {
                throw .pixels(error)
            }
            if profile != nil { (primaries, transfer) = (2, 2) }
        }
    }

    /// Returns the image with straight alpha, in colours that can be declared: those of RGB in full range, or grey with
    /// a profile for grey.
    static func prepared(_ image: consuming PixelBuffer) throws(CodecError) -> PixelBuffer {
        do {
            let result = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
            switch result.colorSpace {
            case .iccProfile(let profile) where profile.colorModel != .rgb:
                let isGray = profile.colorModel == .gray && result.isGray
                return isGray ? result : try result.convertedToSRGB()
            case .codePoints(let points) where !points.isFullRange: return try result.convertedToSRGB()
            default: return result
            }
        } catch {
            throw .pixels(error)
        }
    }
}
