import CCodecShims
import TexelPixels

/// libjpeg's decoder for one file, its header read: what decoding to pixels and to planes have in common.
final class JPEGHandle {
    let header: texel_jpeg_header
    let options: DecodeOptions
    /// The library gave up, under a strictness that accepts what there is; it must not be called again.
    private(set) var hasFailed = false

    let pointer: OpaquePointer
    /// Kept alive for the C side: the bytes that it reads.
    private let input: DecoderInput
    private let file: JPEGFile
    /// Of what is decoded: first the frame, then what the decoder hands out.
    private var rows: Int

    /// Opens a decoder, and under a strictness that accepts what there is once more, if the file ends inside a table or
    /// a scan's header: the scans before it are a picture.
    static func opening<Decoder>(
        _ file: JPEGFile, _ options: DecodeOptions, _ open: (_ byteCount: Int?) throws(CodecError) -> Decoder
    ) throws(CodecError) -> Decoder {
        do throws(CodecError) {
            return try open(nil)
        } catch .truncated where options.strictness == .none {
            return try open(try file.wholeSegmentsEnd(options.stopCheck))
        }
    }

    /// Reads the header.
    ///
    /// - Parameter byteCount: how many bytes to decode; `nil` for all.
    init(
        _ file: JPEGFile, frame: JPEGFile.Frame, options: DecodeOptions, byteCount: Int?
    ) throws(CodecError) {
        let size = PixelSize(width: frame.width, height: frame.height)
        try options.limits.check(size)
        var options = options
        options.limits.scans = options.limits.scans(of: size)
        let input = DecoderInput(file.bytes, options.stopCheck)
        var bytes = input.forLibrary(count: byteCount)
        var limits = options.limits.jpeg
        guard
            let pointer = texel_jpeg_decoder_create(
                &bytes, &limits, StopCheck.callback, options.stopCheck.context)
        else { throw .outOfMemory }
        self.pointer = pointer
        self.input = input
        self.file = file
        self.options = options
        self.rows = frame.height
        var header = texel_jpeg_header()
        let status = texel_jpeg_decoder_read_header(pointer, &header)
        self.header = header
        try check(status)
    }

    deinit { texel_jpeg_decoder_destroy(pointer) }

    /// Begins to decode.
    ///
    /// - Parameter begin: returns the status and how many rows will be handed out.
    func start(_ begin: (OpaquePointer) -> (texel_codec_status, rows: Int)) throws(CodecError) {
        if options.skipsScans { texel_jpeg_decoder_skip_scans(pointer) }
        let (status, rows) = begin(pointer)
        try check(status)
        self.rows = rows
        try checkReport(rowsRead: 0)
    }

    /// Whether rows after `rowsRead` are there. Under the least strictness a failure only ends them.
    ///
    /// - Parameter before: the rows that were read before the call whose status this is.
    func accepts(_ status: texel_codec_status, before: Int, rowsRead: Int) throws(CodecError) -> Bool {
        if status == TEXEL_CODEC_FAILED, options.strictness == .none, rowsRead > 0 {
            hasFailed = true
            return false
        }
        try check(status, rowsRead: rowsRead)
        try checkReport(rowsRead: before)
        return true
    }

    /// - Parameter isComplete: whether all rows were read.
    func finish(isComplete: Bool) throws(CodecError) -> DecoderNotes {
        // What a decoder meets behind the last row costs no pixel, so it is at most a warning.
        if !hasFailed, isComplete, texel_jpeg_decoder_finish(pointer) == TEXEL_CODEC_STOPPED {
            try check(TEXEL_CODEC_STOPPED)
        }
        let report = texel_jpeg_decoder_report(pointer).pointee
        if options.strictness == .warning, report.warnings > 0 { throw .warning(report.firstWarning) }
        return DecoderNotes(
            metadata: try file.metadata(limit: options.limits.metadataBytes),
            warnings: Array([report.firstWarning, report.errorMessage].filter { !$0.isEmpty }.prefix(1)))
    }

    private func check(_ status: texel_codec_status, rowsRead: Int = 0) throws(CodecError) {
        try texel_jpeg_decoder_report(pointer).pointee.check(status, options, input, rowsRead: rowsRead, rows: rows)
    }

    private func checkReport(rowsRead: Int) throws(CodecError) {
        try texel_jpeg_decoder_report(pointer).pointee.check(options.strictness, rowsRead: rowsRead, rows: rows)
    }
}
