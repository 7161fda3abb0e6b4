extension PixelBuffer {
    /// Returns the image at another size, with the same colour space and alpha mode.
    ///
    /// Each side may grow or shrink. Premultiplied pixels are filtered, so that colours of transparent pixels do not
    /// bleed.
    ///
    /// - Parameters:
    ///   - target: the new size, in pixels.
    ///   - filter: the resampling filter.
    ///   - linearLight: whether to average light instead of sRGB-encoded bytes. A checkerboard of black and white
    ///     pixels then becomes 188, as bright as it looked, instead of 127.
    /// - Throws: `invalidSize` if a side is not positive, `resultTooLarge`, `outOfMemory`.
    public func resized(
        to target: PixelSize, filter: ResamplingFilter = .lanczos3, linearLight: Bool = false
    ) throws(PixelBufferError) -> PixelBuffer {
        if target == size { return self }
        return try resized(
            from: FractionalRectangle(covering: size), to: target, filter: filter, linearLight: linearLight)
    }

    /// Returns a part of the image, with edges at fractional positions, at another size.
    ///
    /// At the edges of the region the filter also uses the pixels outside it.
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
                // The resampler reads `width` pixels of each row and writes `target.width`.
                for y in 0..<height where !resampler.isFinished {
                    resampler.push(row: from + y * bytesPerRow)
                    while resampler.takeRow(into: to + resampler.takenRowCount * resultBytesPerRow) {}
                }
            }
        }
        return result
    }
}
