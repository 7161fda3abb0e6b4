import CAVIFShim
import CCodecShims
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes an image of an AVIF file to BGRA32 rows.
///
/// The AV1 codec decodes whole images, to planes; the decoder converts them to pixels in bands of rows.
final class AVIFDecoder: RowDecoder {
    var size: PixelSize { rows.size }
    var alphaMode: AlphaMode { rows.alphaMode }
    var colorSpace: ColorSpace { rows.colorSpace }
    private let rows: ISORows
    private let file: AVIFFile
    private let frames: AVIFFrames
    private let index: Int
    private let options: DecodeOptions
    /// Converted rows, as wide as the coded image; allocated if rows cannot be converted in place.
    private var band: LargeMemory?
    /// The rows of the coded image in `band`.
    private var bandRows = 0..<0
    private var reduction: PlaneReduction?
    private var rowsRead = 0
    /// The number of complete rows of the coded image; fewer than its height only for the strictness `none`.
    private var rowsThere: Int?

    /// The number of rows that are converted together.
    private static let bandHeight = 64
    /// The rows above and below a band that its interpolated chroma depends on: a pair of rows that shares chroma.
    private static let margin = 2

    /// - Parameters:
    ///   - index: the frame; 0 is a still image.
    ///   - frames: shared by the decoders of an animation.
    ///   - metadata: what `finish()` returns.
    init(
        _ file: AVIFFile, frame index: Int = 0, _ frames: AVIFFrames, metadata: ImageMetadata, _ options: DecodeOptions
    ) throws(TexelError) {
        let limits = options.policy.limits
        try limits.check(file.image.size)
        try limits.checkCodec(AVIFMemory.planes(of: file))
        rows = try ISORows(file.image, metadata: metadata, options)
        (self.file, self.frames, self.index, self.options) = (file, frames, index, options)
    }

    func readRows(_ count: Int, into target: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try options.stop?.check()
        if rowsThere == nil, options.policy.strictness != .none { try waitForData() }
        try frames.withFrame(index) { decoder, frame throws(TexelError) in
            rowsThere = Int(frame.rows)
            for y in 0..<count {
                let row = target + y * bytesPerRow
                if try !write(rowsRead + y, decoder, frame, to: row) { rows.writeMissing(to: row) }
            }
        }
        rowsRead += count
    }

    /// Writes a displayed row.
    ///
    /// - Returns: whether it is complete.
    private func write(
        _ row: Int, _ decoder: OpaquePointer, _ frame: texel_avif_frame, to pixels: UnsafeMutableRawPointer
    ) throws(TexelError) -> Bool {
        guard options.shrink > 1 else {
            let y = file.image.area.y + row
            guard y < Int(frame.rows) else { return false }
            try copyRow(y, decoder, frame, to: pixels)
            return true
        }
        let needed = PlaneReduction.rows(for: row, by: options.shrink, of: Int(frame.height))
        guard needed.upperBound <= Int(frame.rows) else { return false }
        let isDeep = frame.depth > 8
        if reduction == nil {
            reduction = try PlaneReduction(width: Int(frame.width), isDeep: isDeep, by: options.shrink)
        }
        guard let colors = PlaneColors(file.image.colors.coded, depth: Int(frame.depth)) else {
            throw .unsupported("the colour matrix \(file.image.colors.coded.matrix) of this AVIF")
        }
        let image = texel_planar_image(
            planes: (
                texel_avif_decoder_plane(decoder, 0), texel_avif_decoder_plane(decoder, 1),
                texel_avif_decoder_plane(decoder, 2)
            ), alpha: texel_plane(), is_deep: isDeep, alpha_is_deep: false, alpha_depth: 8,
            chroma_shift_x: frame.chroma_shift_x, chroma_shift_y: frame.chroma_shift_y, colors: colors.factors)
        reduction?.convert(row, of: image, to: pixels)
        return true
    }

    /// Waits for all bytes that the image needs.
    ///
    /// - Throws: `truncated`.
    private func waitForData() throws(TexelError) {
        let ranges =
            file.track.map { track in
                track.samples.prefix(index + 1).map(\.range) + file.alphaSamples.prefix(index + 1).map(\.range)
            } ?? file.extents
        let end = ranges.map(\.upperBound).max() ?? 0
        guard try file.bytes.has(end, options.stop) else { throw .truncated(rowsRead: 0, rows: file.image.area.height) }
    }

    /// Copies the displayed part of a row of the coded image.
    private func copyRow(
        _ y: Int, _ decoder: OpaquePointer, _ frame: texel_avif_frame, to row: UnsafeMutableRawPointer
    ) throws(TexelError) {
        if !bandRows.contains(y) { try convertBand(from: y, decoder, frame) }
        guard let band else { return }
        let width = Int(frame.width)
        // The band begins with the rows of its margin.
        let first = max(0, bandRows.lowerBound - Self.margin)
        rows.write(
            band.base + (y - first) * width * PixelBuffer.bytesPerPixel, isPremultiplied: frame.is_premultiplied,
            to: row)
        if alphaMode == .opaque, frame.has_alpha {
            let pixels = row.assumingMemoryBound(to: UInt32.self)
            for x in 0..<size.width { pixels[x] |= 0xFF00_0000 }
        }
    }

    /// Converts the rows from the even row at or before `y`, with the rows that interpolation needs.
    private func convertBand(
        from y: Int, _ decoder: OpaquePointer, _ frame: texel_avif_frame
    ) throws(TexelError) {
        // Rows that are missing have no chroma to interpolate with.
        let (width, height) = (Int(frame.width), Int(frame.rows))
        let bytesPerRow = width * PixelBuffer.bytesPerPixel
        if band == nil {
            let rows = min(height, Self.bandHeight + 2 * Self.margin)
            guard let memory = LargeMemory(byteCount: rows * bytesPerRow) else { throw .outOfMemory }
            band = memory
        }
        guard let band else { return }
        let top = y / 2 * 2
        let rows = top..<min(height, top + Self.bandHeight)
        let all = max(0, top - Self.margin)..<min(height, rows.upperBound + Self.margin)
        bandRows = 0..<0
        try frames.convert(decoder, all, into: band.base, bytesPerRow: bytesPerRow)
        bandRows = rows
    }

    func finish() throws(TexelError) -> DecoderResult {
        rows.result(isTruncated: rowsThere.map { $0 < file.image.size.height } ?? false)
    }
}
