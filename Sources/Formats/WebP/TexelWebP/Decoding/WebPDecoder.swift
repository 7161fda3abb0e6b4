import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes an image of a WebP file to BGRA32 rows.
///
/// libwebp needs memory for the whole image, scaled if it is scaled; rows are complete as early as the bytes allow.
final class WebPDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace
    private let decoder: WebPBitstreamDecoder
    private let memory: LargeMemory
    private let metadata: ImageMetadata
    /// Whether the alpha samples of the stream are to be ignored: libwebp returns those of a VP8L chunk even if the
    /// header declares the image opaque.
    private let ignoresAlpha: Bool
    private var rowsRead = 0

    /// - Parameters:
    ///   - metadata: what `finish()` returns.
    ///   - options: the scale, one of those that divide both sides.
    init(
        _ bitstream: WebPFile.Bitstream, of file: WebPFile, colorSpace: ColorSpace, metadata: ImageMetadata,
        _ options: DecodeOptions
    ) throws(TexelError) {
        try options.policy.limits.check(bitstream.size)
        size = PixelSize(
            width: bitstream.size.width / options.shrink, height: bitstream.size.height / options.shrink)
        // A side has at most 14 bits, so this does not overflow.
        guard let memory = LargeMemory(byteCount: size.width * size.height * PixelBuffer.bytesPerPixel) else {
            throw .outOfMemory
        }
        self.memory = memory
        alphaMode = bitstream.hasAlpha ? .straight : .opaque
        ignoresAlpha = bitstream.isLossless && !bitstream.hasAlpha
        self.colorSpace = colorSpace
        self.metadata = metadata
        decoder = try WebPBitstreamDecoder(pixelsOf: bitstream, in: file.bytes, size: size, into: memory, options)
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try decoder.decode(rows: rowsRead + count)
        let own = size.width * PixelBuffer.bytesPerPixel
        for y in 0..<count {
            let row = rows + y * bytesPerRow
            if rowsRead + y < decoder.rowsDone {
                // The memory has `size.height` rows, and no more are read.
                row.copyMemory(from: memory.base + (rowsRead + y) * own, byteCount: own)
                if ignoresAlpha { Self.makeOpaque(row, size.width) }
            } else {
                row.assumingMemoryBound(to: UInt32.self).update(repeating: alphaMode.missingPixel, count: size.width)
            }
        }
        rowsRead += count
    }

    private static func makeOpaque(_ row: UnsafeMutableRawPointer, _ width: Int) {
        let pixels = row.assumingMemoryBound(to: UInt32.self)
        for x in 0..<width { pixels[x] |= 0xFF00_0000 }
    }

    func finish() throws(TexelError) -> DecoderResult { decoder.result(metadata) }
}
