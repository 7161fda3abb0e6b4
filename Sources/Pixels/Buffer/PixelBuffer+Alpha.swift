import CPixelKernels
public import TexelCore

// Conversions between alpha modes. Files store straight pixels; filters need premultiplied ones.

extension PixelBuffer {
    /// Whether every alpha byte is 255. Reads all pixels unless ``alphaMode`` is `opaque`.
    public var isOpaque: Bool {
        if alphaMode == .opaque { return true }
        return withUnsafePixels { pixels in
            (0..<height).allSatisfy { y in
                let row = pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)]
                return row.reduce(.max, &) >= 0xFF00_0000
            }
        }
    }

    /// Returns the image with its colours multiplied by alpha: (colour × alpha + 127) / 255.
    ///
    /// Opaque and premultiplied images are returned as they are.
    ///
    /// - Throws: `outOfMemory`.
    public func premultiplied() throws(TexelError) -> PixelBuffer {
        guard alphaMode == .straight else { return self }
        let kernels = texel_kernels_in_use().pointee
        return try mappingRows(to: .premultiplied) { kernels.premultiply_row($0, $1, width) }
    }

    /// Returns the image with its colours divided by alpha: min(255, (colour × 255 + alpha / 2) / alpha), or 0 if alpha
    /// is 0.
    ///
    /// Opaque and straight images are returned as they are.
    ///
    /// - Throws: `outOfMemory`.
    public func unpremultiplied() throws(TexelError) -> PixelBuffer {
        guard alphaMode == .premultiplied else { return self }
        let kernels = texel_kernels_in_use().pointee
        return try mappingRows(to: .straight) { kernels.unpremultiply_row($0, $1, width) }
    }

    /// Multiplies the colours by alpha in place, like ``premultiplied()``.
    public mutating func premultiply() {
        guard alphaMode == .straight else { return }
        let kernels = texel_kernels_in_use().pointee
        updateRows(to: .premultiplied) { kernels.premultiply_row($0, UnsafePointer($0), $1) }
    }

    /// Divides the colours by alpha in place, like ``unpremultiplied()``.
    public mutating func unpremultiply() {
        guard alphaMode == .premultiplied else { return }
        let kernels = texel_kernels_in_use().pointee
        updateRows(to: .straight) { kernels.unpremultiply_row($0, UnsafePointer($0), $1) }
    }

    /// Returns the image composited on an opaque background: (colour × alpha + background × (255 − alpha) + 127) / 255.
    /// The background's own alpha is ignored.
    ///
    /// - Throws: `outOfMemory`.
    public func flattened(on background: PixelColor) throws(TexelError) -> PixelBuffer {
        guard alphaMode != .opaque else { return self }
        var result = try PixelBuffer(uninitialized: size, alphaMode: .opaque, colorSpace: colorSpace)
        result.updateRaster(to: .opaque) { destination in
            withRaster { destination.flatten(0..<height, of: $0, on: background) }
        }
        return result
    }

    /// Composites the image on an opaque background in place, like ``flattened(on:)``.
    public mutating func flatten(on background: PixelColor) {
        guard alphaMode != .opaque else { return }
        updateRaster(to: .opaque) { $0.flatten(0..<$0.size.height, of: $0, on: background) }
    }

    /// Returns a new image whose rows `transform` writes from this image's rows, `width` pixels each.
    private func mappingRows(
        to alphaMode: AlphaMode, _ transform: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>) -> Void
    ) throws(TexelError) -> PixelBuffer {
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

    /// Rewrites every row with `transform`, which gets its first byte and its width in pixels.
    private mutating func updateRows(to alphaMode: AlphaMode, _ transform: (UnsafeMutablePointer<UInt8>, Int) -> Void) {
        let (width, height) = (width, height)
        // Only this call decides whether the memory is copied, and so fixes `bytesPerRow`.
        _ = uniqueRawBytes()
        let bytesPerRow = bytesPerRow
        withUnsafeMutableBytes { bytes in
            guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
            for y in 0..<height { transform(base + y * bytesPerRow, width) }
        }
        self.alphaMode = alphaMode
    }
}
