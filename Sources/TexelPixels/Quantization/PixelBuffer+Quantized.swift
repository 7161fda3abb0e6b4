extension PixelBuffer {
    /// The same picture with few colours: for PNG's palettes.
    ///
    /// A picture that has no more colours than it may have comes back as it is. Else the palette is chosen by how different
    /// colours look, and what a pixel cannot get its neighbours do; areas of one colour stay such. Transparent pixels stay
    /// exactly transparent (and become black below that), opaque ones opaque. The result is straight or opaque, and the
    /// same on every processor.
    ///
    /// - Returns: `nil` if `options.quality` cannot be reached with as many colours, and no lower one is allowed.
    /// - Throws: `outOfMemory`.
    public func quantized(_ options: PaletteOptions = PaletteOptions()) throws(PixelBufferError) -> PixelBuffer? {
        try quantized(options, while: { true })
    }

    /// - Parameter continues: asked every few milliseconds; it gives `nil` as soon as the answer is no.
    package func quantized(
        _ options: PaletteOptions, while continues: () -> Bool
    ) throws(PixelBufferError) -> PixelBuffer? {
        var options = options
        options.colors = min(
            max(options.colors, PaletteOptions.colorCounts.lowerBound), PaletteOptions.colorCounts.upperBound)
        var straight = try unpremultiplied()
        if straight.hasFewColors(options.colors) { return straight }
        guard var histogram = ColorHistogram(straight, while: continues) else { return nil }
        if options.colors < histogram.leastColors {
            // Two colours for transparent, opaque and other pixels.
            straight = try straight.withoutTranslucency()
            guard let plainer = ColorHistogram(straight, while: continues) else { return nil }
            histogram = plainer
        }
        var chosen = Palette(histogram, options, while: continues)
        if chosen == nil, options.allowsLowerQuality {
            options.quality = nil
            chosen = Palette(histogram, options, while: continues)
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

    /// Each pixel transparent or opaque, whichever it is nearer to.
    private func withoutTranslucency() throws(PixelBufferError) -> PixelBuffer {
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
