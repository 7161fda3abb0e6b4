public import TexelCore

extension PixelBuffer {
    /// Converts the colours to sRGB by the buffer's profile (perceptual intent); alpha is unchanged.
    ///
    /// A grey profile describes one channel. It is applied to red, green and blue separately, so pixels that became
    /// coloured after the profile was attached keep their colours.
    ///
    /// Colours of high dynamic range (PQ, HLG) are compressed to the range of sRGB; `ToneMapping` describes the method.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public func convertedToSRGB() throws(TexelError) -> PixelBuffer { try converted(to: .sRGB) }

    /// Converts the colours to another colour space (perceptual intent); alpha is unchanged.
    ///
    /// - Parameter colorSpace: the colour space of the result. Its profile, if it has one, must describe RGB.
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public func converted(to colorSpace: ColorSpace) throws(TexelError) -> PixelBuffer {
        try converted(by: ColorConversion(from: self.colorSpace, to: colorSpace), to: colorSpace)
    }

    /// Converts the colours by a conversion that is prepared for both colour spaces.
    package func converted(
        by conversion: ColorConversion, to colorSpace: ColorSpace
    ) throws(TexelError) -> PixelBuffer {
        if conversion.isIdentity {
            var labelled = self
            labelled.colorSpace = colorSpace
            return labelled
        }
        let row = try StraightRow(for: RasterShape(size: size, alphaMode: alphaMode))
        var result = try PixelBuffer(uninitialized: size, alphaMode: alphaMode, colorSpace: colorSpace)
        result.updateRaster(to: alphaMode) { destination in
            withRaster { conversion.run(0..<height, from: $0, to: destination, through: row) }
        }
        return result
    }
}
