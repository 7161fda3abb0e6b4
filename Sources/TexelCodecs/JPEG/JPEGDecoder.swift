import CCodecShims
package import TexelPixels

/// Decodes a JPEG file to BGRA32 rows through libjpeg.
package final class JPEGDecoder: RowDecoder {
    package let size: PixelSize
    package let alphaMode = AlphaMode.opaque
    package let colorSpace: ColorSpace

    private let decoder: OpaquePointer
    /// Kept alive for the C side: the bytes that it reads, and the question it asks.
    private let file: JPEGFile
    private let options: DecodeOptions
    /// Turns the four inks of CMYK into sRGB, row by row.
    private let inks: InkConversion?
    private var inkRow: [UInt8] = []
    private var rowsRead = 0
    /// The library gave up, under a strictness that accepts what there is; it must not be called again.
    private var hasFailed = false

    convenience init(_ file: JPEGFile, frame: JPEGFile.Frame, options: DecodeOptions) throws(CodecError) {
        do throws(CodecError) {
            try self.init(file, frame: frame, options: options, count: file.bytes.count)
        } catch .truncated where options.strictness == .none {
            // The file ends inside a table or a scan's header: the scans before it are a picture.
            try self.init(file, frame: frame, options: options, count: file.wholeSegmentsEnd)
        }
    }

    /// Decodes the first `count` bytes.
    private init(
        _ file: JPEGFile, frame: JPEGFile.Frame, options: DecodeOptions, count: Int
    ) throws(CodecError) {
        try options.limits.check(PixelSize(width: frame.width, height: frame.height))
        guard
            let decoder = texel_jpeg_decoder_create(
                file.bytes.base, count, Int32(clamping: options.limits.scans),
                options.limits.codecBytes, StopCheck.callback, options.stopCheck.context)
        else { throw .outOfMemory }

        var header = texel_jpeg_header()
        var (width, height): (Int32, Int32) = (0, 0)
        do throws(CodecError) {
            try Self.check(texel_jpeg_decoder_read_header(decoder, &header), decoder, options, rows: frame.height)
            let isInk = header.color == TEXEL_JPEG_COLOR_CMYK || header.color == TEXEL_JPEG_COLOR_YCCK
            let profile = try file.colorProfile(
                of: frame, limit: options.limits.metadataBytes)
            if isInk {
                // Adobe's programs store inks inverted, 255 for none, and say so by their marker.
                inks = InkConversion(profile: profile, isInverted: header.has_adobe_marker)
                inkRow = []
            } else {
                inks = nil
            }
            colorSpace = isInk ? .sRGB : profile.map { .iccProfile($0) } ?? .sRGB
            let layout = isInk ? TEXEL_JPEG_CMYK : TEXEL_JPEG_BGRA
            try Self.check(
                texel_jpeg_decoder_start(decoder, layout, Int32(options.shrink), &width, &height), decoder, options,
                rows: frame.height)
            try Self.checkReport(decoder, options, rowsRead: 0, rows: Int(height))
        } catch {
            texel_jpeg_decoder_destroy(decoder)
            throw error
        }
        self.decoder = decoder
        self.file = file
        self.options = options
        self.size = PixelSize(width: Int(width), height: Int(height))
        if inks != nil { inkRow = [UInt8](repeating: 0, count: size.width * 4) }
    }

    deinit { texel_jpeg_decoder_destroy(decoder) }

    package func readRows(
        _ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(CodecError) {
        var done: Int32 = 0
        let status: texel_codec_status
        if hasFailed {
            status = TEXEL_CODEC_FAILED
        } else if let inks {
            status = readInks(inks, count, into: rows, bytesPerRow: bytesPerRow, done: &done)
        } else {
            status = texel_jpeg_decoder_read_rows(
                decoder, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, Int32(count), &done)
        }
        let before = rowsRead
        rowsRead += Int(done)
        if status == TEXEL_CODEC_FAILED, options.strictness == .none, rowsRead > 0 {
            hasFailed = true
            // What is missing becomes black; uninitialised memory must not be seen.
            for y in Int(done)..<count {
                let row = (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
                row.update(repeating: 0xFF00_0000, count: size.width)
            }
            rowsRead = before + count
            return
        }
        try Self.check(status, decoder, options, rowsRead: rowsRead, rows: size.height)
        try Self.checkReport(decoder, options, rowsRead: before, rows: size.height)
    }

    private func readInks(
        _ inks: InkConversion, _ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int, done: inout Int32
    ) -> texel_codec_status {
        inkRow.withUnsafeMutableBufferPointer { row in
            for y in 0..<count {
                var one: Int32 = 0
                let status = texel_jpeg_decoder_read_rows(decoder, row.baseAddress, row.count, 1, &one)
                guard status == TEXEL_CODEC_OK, let base = row.baseAddress else { return status }
                inks.convert(base, to: rows + y * bytesPerRow, count: size.width)
                done += 1
            }
            return TEXEL_CODEC_OK
        }
    }

    package func finish() throws(CodecError) -> DecoderNotes {
        // What a decoder meets behind the last row costs no pixel, so it is at most a warning.
        if !hasFailed, rowsRead == size.height, texel_jpeg_decoder_finish(decoder) == TEXEL_CODEC_STOPPED {
            try Self.check(TEXEL_CODEC_STOPPED, decoder, options, rows: size.height)
        }
        let report = texel_jpeg_decoder_report(decoder).pointee
        if options.strictness == .warning, report.warnings > 0 { throw .warning(report.firstWarning) }
        return DecoderNotes(
            metadata: try file.metadata(limit: options.limits.metadataBytes),
            warnings: Array([report.firstWarning, report.errorMessage].filter { !$0.isEmpty }.prefix(1)))
    }

    /// The one place where libjpeg's answers become errors.
    private static func check(
        _ status: texel_codec_status, _ decoder: OpaquePointer, _ options: DecodeOptions, rowsRead: Int = 0, rows: Int
    ) throws(CodecError) {
        let report = texel_jpeg_decoder_report(decoder).pointee
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw .stopped(options.stopCheck?.reason ?? .cancelled)
        case TEXEL_CODEC_SCAN_LIMIT:
            throw .limitExceeded(.scans, value: options.limits.scans + 1, allowed: options.limits.scans)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default:
            if report.truncated { throw .truncated(rowsRead: rowsRead, rows: rows) }
            throw .jpeg(.corrupt(report.errorMessage))
        }
    }

    private static func checkReport(
        _ decoder: OpaquePointer, _ options: DecodeOptions, rowsRead: Int, rows: Int
    ) throws(CodecError) {
        let report = texel_jpeg_decoder_report(decoder).pointee
        guard report.warnings > 0 || report.truncated else { return }
        switch options.strictness {
        case .none: return
        case .truncated: if report.truncated { throw .truncated(rowsRead: rowsRead, rows: rows) }
        case .error:
            if report.truncated { throw .truncated(rowsRead: rowsRead, rows: rows) }
            if report.corrupt { throw .jpeg(.corrupt(report.firstWarning)) }
        case .warning:
            if report.truncated { throw .truncated(rowsRead: rowsRead, rows: rows) }
            throw .warning(report.firstWarning)
        }
    }
}
