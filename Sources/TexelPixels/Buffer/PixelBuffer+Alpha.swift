import CPixelKernels

// Between the alpha modes. Files store straight pixels; filters need premultiplied ones.

extension PixelBuffer {
    /// Whether no pixel lets anything through: every alpha byte is 255. Looks at the pixels unless ``alphaMode`` knows.
    public var isOpaque: Bool {
        if alphaMode == .opaque { return true }
        return withUnsafePixels { pixels in
            (0..<height).allSatisfy { y in
                let row = pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)]
                return row.reduce(.max, &) >= 0xFF00_0000
            }
        }
    }

    /// The same picture with its colours multiplied by alpha; each becomes (colour × alpha + 127) / 255.
    ///
    /// An opaque or premultiplied picture comes back as it is.
    public func premultiplied() throws(PixelBufferError) -> PixelBuffer {
        guard alphaMode == .straight else { return self }
        let kernels = texel_kernels_in_use().pointee
        return try mappingRows(to: .premultiplied) { kernels.premultiply_row($0, $1, width) }
    }

    /// The same picture with its colours divided by alpha; each becomes min(255, (colour × 255 + alpha / 2) / alpha),
    /// and 0 where alpha is 0.
    ///
    /// An opaque or straight picture comes back as it is.
    public func unpremultiplied() throws(PixelBufferError) -> PixelBuffer {
        guard alphaMode == .premultiplied else { return self }
        let kernels = texel_kernels_in_use().pointee
        return try mappingRows(to: .straight) { kernels.unpremultiply_row($0, $1, width) }
    }

    /// ``premultiplied()`` in place.
    public mutating func premultiply() {
        guard alphaMode == .straight else { return }
        let kernels = texel_kernels_in_use().pointee
        updateRows(to: .premultiplied) { kernels.premultiply_row($0, UnsafePointer($0), $1) }
    }

    /// ``unpremultiplied()`` in place.
    public mutating func unpremultiply() {
        guard alphaMode == .premultiplied else { return }
        let kernels = texel_kernels_in_use().pointee
        updateRows(to: .straight) { kernels.unpremultiply_row($0, UnsafePointer($0), $1) }
    }

    /// This picture laid on a background, opaque: each colour becomes (colour × alpha + background × (255 − alpha) +
    /// 127) / 255. The background's own alpha counts as 255.
    public func flattened(on background: PixelColor) throws(PixelBufferError) -> PixelBuffer {
        guard alphaMode != .opaque else { return self }
        let kernels = texel_kernels_in_use().pointee
        let isPremultiplied = alphaMode == .premultiplied
        return try mappingRows(to: .opaque) {
            kernels.flatten_row($0, $1, width, background.pixel, isPremultiplied)
        }
    }

    /// ``flattened(on:)`` in place.
    public mutating func flatten(on background: PixelColor) {
        guard alphaMode != .opaque else { return }
        let kernels = texel_kernels_in_use().pointee
        let isPremultiplied = alphaMode == .premultiplied
        updateRows(to: .opaque) {
            kernels.flatten_row($0, UnsafePointer($0), $1, background.pixel, isPremultiplied)
        }
    }

    /// A new picture whose rows `transform` writes from ours; both have `width` pixels.
    private func mappingRows(
        to alphaMode: AlphaMode, _ transform: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>) -> Void
    ) throws(PixelBufferError) -> PixelBuffer {
        var result = try PixelBuffer(uninitialized: size, alphaMode: alphaMode, colorSpace: colorSpace)
        let resultBytesPerRow = result.bytesPerRow
        result.withUnsafeMutableBytes { destination in
            withUnsafeBytes { source in
                guard let to = destination.assumingMemoryBound(to: UInt8.self).baseAddress,
                    let from = source.assumingMemoryBound(to: UInt8.self).baseAddress
                else { return }
                for y in 0..<height { transform(to + y * resultBytesPerRow, from + y * bytesPerRow) }
            }
        }
        return result
    }

    /// Lets `transform` rewrite every row, given its first byte and its width in pixels.
    private mutating func updateRows(to alphaMode: AlphaMode, _ transform: (UnsafeMutablePointer<UInt8>, Int) -> Void) {
        let (width, height) = (width, height)
        // Only after this is it sure whether the memory is ours alone, and how its rows lie.
        _ = uniqueRawBytes()
        let bytesPerRow = bytesPerRow
        withUnsafeMutableBytes { bytes in
            guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
            for y in 0..<height { transform(base + y * bytesPerRow, width) }
        }
        self.alphaMode = alphaMode
    }
}
