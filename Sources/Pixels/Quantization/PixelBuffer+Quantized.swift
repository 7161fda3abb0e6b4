public import TexelCore

extension PixelBuffer {
    /// Returns the image with few colours, for PNG's palettes.
    ///
    /// An image with at most `options.colors` colours is returned unchanged. Otherwise a palette is chosen in a
    /// perceptual colour space and errors are diffused to neighbouring pixels; areas of one colour stay uniform.
    /// Transparent pixels become transparent black and opaque ones stay opaque. The result is straight or opaque, and
    /// the same on every processor.
    ///
    /// - Parameter options: the number of colours, which is clamped to ``PaletteOptions/colorCounts``, and the quality.
    /// - Returns: `nil` if `options.quality` cannot be reached with `options.colors`, and no lower quality is allowed.
    /// - Throws: `outOfMemory`.
    public func quantized(_ options: PaletteOptions = PaletteOptions()) throws(TexelError) -> PixelBuffer? {
        try quantized(options, while: { true })
    }

    /// Like the public method, but can be stopped.
    ///
    /// - Parameters:
    ///   - exchanges: whether colours are exchanged as long as that helps, which takes half of the time for a small
    ///     image.
    ///   - continues: called every few milliseconds; if it returns false, the result is `nil`.
    package func quantized(
        _ options: PaletteOptions, exchanges: Bool = true, while continues: () -> Bool
    ) throws(TexelError) -> PixelBuffer? {
        var options = options
        options.colors = min(
            max(options.colors, PaletteOptions.colorCounts.lowerBound), PaletteOptions.colorCounts.upperBound)
        var straight = try unpremultiplied()
        if straight.hasFewColors(options.colors) { return straight }
        guard var histogram = ColorHistogram(straight, while: continues) else { return nil }
        if options.colors < histogram.leastColors {
            // Too few colours for transparent, opaque and translucent pixels.
            straight = try straight.withoutTranslucency()
            guard let plainer = ColorHistogram(straight, while: continues) else { return nil }
            histogram = plainer
        }
        var chosen = Palette(histogram, options, exchanges: exchanges, while: continues)
        if chosen == nil, options.allowsLowerQuality {
            options.quality = nil
            chosen = Palette(histogram, options, exchanges: exchanges, while: continues)
        }
        guard let palette = chosen else { return nil }
        var result = try PixelBuffer(uninitialized: size, alphaMode: straight.alphaMode, colorSpace: colorSpace)
        var diffusion = ErrorDiffusion(palette, width: width)
        let pixelsPerRow = result.pixelsPerRow
        let isWhole = result.withUnsafeMutablePixels { pixels in
            guard let base = pixels.baseAddress else { return false }
            return diffusion.run(straight, into: base, pixelsPerRow: pixelsPerRow, while: continues)
        }
        return isWhole ? result : nil
    }

    /// Returns the image with each pixel made transparent or opaque, whichever is nearer.
    private func withoutTranslucency() throws(TexelError) -> PixelBuffer {
        var result = self
        let count = result.pixelsPerRow * (height - 1) + width
        result.withUnsafeMutablePixels { pixels in
            for index in 0..<min(count, pixels.count) {
                pixels[index] = pixels[index] >> 24 < 128 ? 0 : pixels[index] | 0xFF00_0000
            }
        }
        return result
    }

    private func hasFewColors(_ limit: Int) -> Bool {
        withUnsafePixels { pixels in
            var colors: Set<UInt32> = []
            for y in 0..<height {
                var previous: UInt32?
                for pixel in pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)] where pixel != previous {
                    previous = pixel
                    colors.insert(pixel)
                    if colors.count > limit { return false }
                }
            }
            return true
        }
    }
}
