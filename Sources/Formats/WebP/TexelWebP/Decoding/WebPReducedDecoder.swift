import CCodecShims
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes an opaque image with loss to BGRA32 rows of a reduced size.
///
/// Its planes are reduced before they become pixels, which takes less time than libwebp's scaling.
final class WebPReducedDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode = AlphaMode.opaque
    let colorSpace: ColorSpace
    private let decoder: WebPBitstreamDecoder
    private let planes: WebPPlanes
    private let image: texel_planar_image
    private let reduction: PlaneReduction
    private let shrink: Int
    private let metadata: ImageMetadata
    private var rowsRead = 0

    /// - Parameters:
    ///   - metadata: what `finish()` returns.
    ///   - options: the scale, more than 1.
    init(
        _ bitstream: WebPFile.Bitstream, of file: WebPFile, colorSpace: ColorSpace, metadata: ImageMetadata,
        _ options: DecodeOptions
    ) throws(TexelError) {
        try options.policy.limits.check(bitstream.size)
        shrink = options.shrink
        size = bitstream.size.reduced(by: shrink)
        self.colorSpace = colorSpace
        self.metadata = metadata
        planes = try WebPPlanes(bitstream.size)
        guard let image = planes.image else { throw .unsupported("the colours of this WebP") }
        self.image = image
        reduction = try PlaneReduction(width: bitstream.size.width, isDeep: false, by: shrink)
        decoder = try WebPBitstreamDecoder(planesOf: bitstream, in: file.bytes, into: planes, options)
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        let height = planes.size.height
        try decoder.decode(rows: PlaneReduction.rows(for: rowsRead + count - 1, by: shrink, of: height).upperBound)
        for y in 0..<count {
            let row = rows + y * bytesPerRow
            let needed = PlaneReduction.rows(for: rowsRead + y, by: shrink, of: height)
            if needed.upperBound <= decoder.rowsDone {
                reduction.convert(rowsRead + y, of: image, to: row)
            } else {
                row.assumingMemoryBound(to: UInt32.self).update(repeating: 0xFF00_0000, count: size.width)
            }
        }
        rowsRead += count
    }

    func finish() throws(TexelError) -> DecoderResult { decoder.result(metadata) }
}
