extension PixelBuffer {
    /// This picture at another size, in the same colour space and alpha mode.
    ///
    /// Sides may grow or shrink, each on its own. Filtering happens on premultiplied pixels: colours of transparent
    /// pixels never bleed.
    ///
    /// - Parameters:
    ///   - target: the new size, in pixels.
    ///   - linearLight: whether to average light instead of the bytes of the sRGB curve. A checkerboard of black and
    ///     white pixels then becomes 188, as bright as it looked, and not 127.
    /// - Throws: `invalidSize` when a side is not positive, `resultTooLarge`, `outOfMemory`.
    public func resized(
        to target: PixelSize, filter: ResamplingFilter = .lanczos3, linearLight: Bool = false
    ) throws(PixelBufferError) -> PixelBuffer {
        if target == size { return self }
        return try resized(
            from: FractionalRectangle(covering: size), to: target, filter: filter, linearLight: linearLight)
    }

    /// A part of this picture, its edges anywhere between pixels, at another size.
    ///
    /// At the edges of the region the filter sees the pixels beyond it.
    package func resized(
        from region: FractionalRectangle, to target: PixelSize, filter: ResamplingFilter = .lanczos3,
        linearLight: Bool = false
    ) throws(PixelBufferError) -> PixelBuffer {
        let resampler = try RowResampler(
            source: size, region: region, target: target, filter: filter, linearLight: linearLight,
            alphaMode: alphaMode, rowsStay: true)
        var result = try PixelBuffer(uninitialized: target, alphaMode: alphaMode, colorSpace: colorSpace)
        let resultBytesPerRow = result.bytesPerRow
        result.withUnsafeMutableBytes { destination in
            withUnsafeBytes { source in
                guard let to = destination.baseAddress, let from = source.baseAddress else { return }
                // Both pictures are walked row by row; the resampler takes `width` pixels and gives `target.width`.
                for y in 0..<height where !resampler.isFinished {
                    resampler.push(row: from + y * bytesPerRow)
                    while resampler.takeRow(into: to + resampler.takenRowCount * resultBytesPerRow) {}
                }
            }
        }
        return result
    }
}
