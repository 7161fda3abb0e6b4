public import TexelCore

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
    ) throws(TexelError) -> PixelBuffer {
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
    ) throws(TexelError) -> PixelBuffer {
        let resampler = try RowResampler(
            source: size, region: region, target: target, filter: filter, linearLight: linearLight,
            alphaMode: alphaMode, rowsStay: true)
        var result = try PixelBuffer(uninitialized: target, alphaMode: alphaMode, colorSpace: colorSpace)
        result.updateRaster(to: alphaMode) { destination in
            withRaster { resampler.run(rows: 0..<target.height, from: $0, to: destination) }
        }
        return result
    }
}

extension RowResampler {
    /// Writes rows of the target from an image in memory.
    ///
    /// - Parameters:
    ///   - source: has the size and alpha mode for which the resampler was created.
    ///   - destination: has the size of the target.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(destination.size == target, "the sizes differ: \(destination.size) and \(target)")
        restart(rows: rows)
        while takenRowCount < rows.upperBound {
            if !takeRow(into: destination.row(takenRowCount)) { push(row: source.row(pushedRowCount)) }
        }
    }
}
