package import TexelPixels

/// Converts the colours to a colour space.
package struct ConvertColors: PixelStep {
    private let colorSpace: ColorSpace

    package init(to colorSpace: ColorSpace) { self.colorSpace = colorSpace }

    package var summary: String { "convert to \(colorSpace.name)" }

    package func apply(to image: inout PixelBuffer) throws(PixelBufferError) {
        image = try image.converted(to: colorSpace)
    }
}

/// Omits a profile that is equivalent to sRGB.
package struct LabelAsSRGB: PixelStep {
    package init() {}

    package var summary: String { "omit the profile, which is equivalent to sRGB" }

    package var runsInPlace: Bool { true }

    package func apply(to image: inout PixelBuffer) throws(PixelBufferError) { image.colorSpace = .sRGB }
}
