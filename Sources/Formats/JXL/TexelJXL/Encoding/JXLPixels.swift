import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// An image in the form in which it is stored.
struct JXLPixels {
    /// Straight or opaque, in colours that the format stores.
    let image: PixelBuffer
    /// Whether it is stored as one channel.
    let isGray: Bool

    /// - Throws: errors of pixels.
    init(_ image: consuming PixelBuffer) throws(TexelError) {
        var result = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
        var isGray = Self.isGray(result)
        if !Self.stores(result.colorSpace, isGray: isGray) {
            result = try result.convertedToSRGB()
            isGray = Self.isGray(result)
        }
        // A profile of three channels needs them.
        if case .iccProfile(let profile) = result.colorSpace, profile.colorModel == .rgb { isGray = false }
        if case .calibrated = result.colorSpace { isGray = false }
        (self.image, self.isGray) = (result, isGray)
    }

    private init(image: PixelBuffer, isGray: Bool) { (self.image, self.isGray) = (image, isGray) }

    /// The image with three channels of colour, because later frames may have colours.
    var withColor: JXLPixels { JXLPixels(image: image, isGray: false) }

    var hasAlpha: Bool { image.alphaMode != .opaque }

    private static func isGray(_ image: PixelBuffer) -> Bool {
        image.withUnsafeBytes { bytes in
            texel_jxl_is_gray(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), image.bytesPerRow, UInt32(image.width),
                UInt32(image.height))
        }
    }

    /// Whether a file can declare these colours.
    private static func stores(_ colorSpace: ColorSpace, isGray: Bool) -> Bool {
        switch colorSpace {
        case .sRGB, .calibrated: true
        case .codePoints(let points):
            points.isFullRange
                && ([1, 9, 11, 12].contains(points.primaries) && [1, 8, 13, 16, 18].contains(points.transfer)
                    || !points.isHighDynamicRange)
        case .iccProfile(let profile): profile.colorModel == .rgb || profile.colorModel == .gray && isGray
        }
    }
}

extension texel_jxl_config {
    /// The colours; a profile is returned, because the structure only refers to it.
    ///
    /// - Throws: errors of pixels.
    mutating func setColors(_ colorSpace: ColorSpace) throws(TexelError) -> [UInt8]? {
        (primaries, transfer) = (1, 13)
        // Pixels with loss become XYB, from which decoders make the colours of numbers, but not those of profiles.
        if !is_lossless, colorSpace.isSRGB { return nil }
        if case .codePoints(let points) = colorSpace, [1, 9, 11, 12].contains(points.primaries),
            [1, 8, 13, 16, 18].contains(points.transfer)
        {
            (primaries, transfer) = (Int32(points.primaries), Int32(points.transfer))
            return nil
        }
        return try colorSpace.embeddableProfile()?.bytes
    }
}
