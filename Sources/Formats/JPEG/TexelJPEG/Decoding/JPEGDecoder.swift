import CJPEGShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a JPEG file to BGRA32 rows through libjpeg.
final class JPEGDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode = AlphaMode.opaque
    let colorSpace: ColorSpace

    private let handle: JPEGDecoderContext
    /// Converts CMYK to sRGB, row by row; `nil` for other files.
    private let inks: CMYKConversion?
    private var inkRow: [UInt8]
    private var rowsRead = 0

    /// - Parameters:
    ///   - profile: the profile of the file's colours, if it has one that is used.
    ///   - byteCount: the number of bytes to decode; `nil` for all.
    init(
        _ file: JPEGFile, _ frame: JPEGFile.Frame, _ profile: ICCProfile?, options: DecodeOptions, byteCount: Int?
    ) throws(TexelError) {
        handle = try JPEGDecoderContext(file, frame: frame, options: options, byteCount: byteCount)
        let isInk = handle.header.color == TEXEL_JPEG_COLOR_CMYK || handle.header.color == TEXEL_JPEG_COLOR_YCCK
        // Adobe's programs store inverted inks, 255 for none, and nearly all files are theirs. Those without Adobe's
        // marker have usually lost it to a program that removed metadata, so that other readers invert them as well.
        inks = isInk ? CMYKConversion(profile: profile, isInverted: true) : nil
        colorSpace = isInk ? .sRGB : profile.map { .iccProfile($0) } ?? .sRGB
        var (width, height): (Int32, Int32) = (0, 0)
        try handle.start { decoder in
            let layout = isInk ? TEXEL_JPEG_CMYK : TEXEL_JPEG_BGRA
            return texel_jpeg_decoder_start(decoder, layout, Int32(options.shrink), &width, &height)
        }
        size = PixelSize(width: Int(width), height: Int(height))
        inkRow = [UInt8](repeating: 0, count: isInk ? size.width * 4 : 0)
    }

    func readRows(
        _ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(TexelError) {
        var done: Int32 = 0
        let status: texel_codec_status
        if handle.hasFailed {
            status = TEXEL_CODEC_FAILED
        } else if let inks {
            status = readInks(inks, count, into: rows, bytesPerRow: bytesPerRow, done: &done)
        } else {
            status = texel_jpeg_decoder_read_rows(
                handle.pointer, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, Int32(count), &done)
        }
        let before = rowsRead
        rowsRead += Int(done)
        if try handle.accepts(status, rowsRead: rowsRead) { return }
        // Missing rows become black, so that uninitialised memory is not exposed.
        for y in Int(done)..<count {
            let row = (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
            row.update(repeating: 0xFF00_0000, count: size.width)
        }
        rowsRead = before + count
    }

    private func readInks(
        _ inks: CMYKConversion, _ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int, done: inout Int32
    ) -> texel_codec_status {
        inkRow.withUnsafeMutableBufferPointer { row in
            for y in 0..<count {
                var one: Int32 = 0
                let status = texel_jpeg_decoder_read_rows(handle.pointer, row.baseAddress, row.count, 1, &one)
                guard status == TEXEL_CODEC_OK, let base = row.baseAddress else { return status }
                inks.convert(base, to: rows + y * bytesPerRow, count: size.width)
                done += 1
            }
            return TEXEL_CODEC_OK
        }
    }

    func finish() throws(TexelError) -> DecoderResult {
        try handle.finish(isComplete: rowsRead == size.height)
    }
}
