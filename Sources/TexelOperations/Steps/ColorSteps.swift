package import TexelPixels

/// Converts the colours to sRGB.
package struct ConvertToSRGB: PixelStep {
    package init() {}

    package var summary: String { "convert to sRGB" }

    package func apply(to image: inout PixelBuffer) throws(PixelBufferError) {
        image = try image.convertedToSRGB()
    }
}

/// Omits a profile that is equivalent to sRGB.
package struct LabelAsSRGB: PixelStep {
    package init() {}

    package var summary: String { "omit the profile, which is equivalent to sRGB" }

    package var runsInPlace: Bool { true }

    package func apply(to image: inout PixelBuffer) throws(PixelBufferError) { image.colorSpace = .sRGB }
}
