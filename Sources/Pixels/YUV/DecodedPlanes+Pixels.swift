package import TexelCore

extension DecodedPlanes {
    /// Converts the stored image to pixels, widened to square ones; it is not turned.
    ///
    /// - Parameter areInterlaced: Whether odd and even rows are two fields, whose chroma is not mixed.
    /// - Throws: `invalidSize`, `outOfMemory`.
    package func pixels(areInterlaced: Bool = false) throws(TexelError) -> PixelBuffer {
        var image = try PixelBuffer(uninitialized: layout.size, alphaMode: layout.alphaMode, colorSpace: .sRGB)
        let bytesPerRow = image.bytesPerRow
        let fieldCount = areInterlaced && layout.size.height > 1 ? 2 : 1
        try image.withUnsafeMutableBytes { (bytes) throws(TexelError) in
            guard let base = bytes.baseAddress else { return }
            for field in 0..<fieldCount {
                try convert(
                    field, of: fieldCount, to: base + field * bytesPerRow, bytesPerRow: bytesPerRow * fieldCount)
            }
        }
        let square = layout.aspect.applied(to: layout.size)
        return square == layout.size ? image : try image.resized(to: square)
    }

    /// Converts a field, which has every `count`-th row from `field` on.
    private func convert(
        _ field: Int, of count: Int, to destination: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(TexelError) {
        let height = (layout.size.height - field + count - 1) / count
        func rows(_ plane: Int) -> PlaneRows {
            let found = planes[plane]
            return PlaneRows(base: found.base + field * found.bytesPerRow, bytesPerRow: count * found.bytesPerRow)
        }
        guard case .yuv(let format, let color) = layout.format else {
            let source = rows(0)
            for y in 0..<height {
                // Bytes in the order of a buffer: decoders give no other.
                (destination + y * bytesPerRow).copyMemory(
                    from: source.base + y * source.bytesPerRow, byteCount: layout.size.width * PixelBuffer.bytesPerPixel
                )
            }
            return
        }
        let luma = rows(0)
        var source = YUVRows(y: luma.base, yBytesPerRow: luma.bytesPerRow)
        if format.sampling != .none {
            let u = rows(1)
            source.u = u.base
            source.chromaBytesPerRow = u.bytesPerRow
            if !format.isInterleaved { source.v = rows(2).base }
        }
        if let plane = format.alphaPlane {
            let alpha = rows(plane)
            source.alpha = alpha.base
            source.alphaBytesPerRow = alpha.bytesPerRow
        }
        let size = PixelSize(width: layout.size.width, height: height)
        let chromaRowCount = (format.planeSize(1, of: layout.size).height - field + count - 1) / count
        let converter = try YUVToBGRA(format, color, size: size, chromaRowCount: chromaRowCount)
        converter.convert(0..<height, from: source, to: destination, bytesPerRow: bytesPerRow)
    }
}
