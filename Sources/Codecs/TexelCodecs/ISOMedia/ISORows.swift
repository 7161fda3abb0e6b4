import CPixelKernels
package import TexelCore
package import TexelPixels

/// The displayed rows of an image in items or tracks: the part of a decoder that is independent of the coding.
package struct ISORows: Sendable {
    package let size: PixelSize
    package let alphaMode: AlphaMode
    package let colorSpace: ColorSpace
    private let firstColumn: Int
    private let notes: DecoderResult

    /// - Parameter metadata: what the result has.
    /// - Throws: `warning`.
    package init(_ image: ISOImage, metadata: ImageMetadata, _ options: DecodeOptions) throws(TexelError) {
        if let warning = image.warning, options.policy.strictness == .warning { throw .warning(warning) }
        size = image.area.size.reduced(by: options.shrink)
        alphaMode = image.hasAlpha ? .straight : .opaque
        colorSpace = image.colors.colorSpace
        firstColumn = image.area.x
        notes = DecoderResult(
            metadata: metadata, warnings: image.warning.map { [$0] } ?? [],
            hasDamagedPixels: image.container.hasDefect)
    }

    /// Writes the displayed part of a row of the coded image, which is not reduced.
    ///
    /// - Parameters:
    ///   - coded: the first pixel of the row.
    ///   - isPremultiplied: whether colours are multiplied by alpha.
    package func write(_ coded: UnsafeRawPointer, isPremultiplied: Bool, to row: UnsafeMutableRawPointer) {
        // The displayed area is inside of the coded image.
        let from = coded + firstColumn * PixelBuffer.bytesPerPixel
        if isPremultiplied {
            texel_kernels_in_use().pointee.unpremultiply_row(
                row.assumingMemoryBound(to: UInt8.self), from.assumingMemoryBound(to: UInt8.self), size.width)
        } else {
            row.copyMemory(from: from, byteCount: size.width * PixelBuffer.bytesPerPixel)
        }
    }

    /// Writes a row that is missing: black or transparent.
    package func writeMissing(to row: UnsafeMutableRawPointer) {
        row.assumingMemoryBound(to: UInt32.self).update(repeating: alphaMode.missingPixel, count: size.width)
    }

    /// Returns the result of a decoder.
    package func result(isTruncated: Bool) -> DecoderResult {
        var result = notes
        if isTruncated { result.warnings.append("the image is truncated") }
        return result
    }
}
