import CJPEGShim
import TexelCodecs
import TexelCore
import TexelPixels

/// libjpeg's decoder for one file after its header has been read. Shared by the decoders of pixels and of planes.
final class JPEGDecoderContext {
    let header: texel_jpeg_header
    let options: DecodeOptions
    /// Whether the library has failed under the strictness `none`; it must not be called again.
    private(set) var hasFailed = false

    let pointer: OpaquePointer
    /// The input of the C shim, which must be kept alive.
    private let input: DecoderInput
    private let file: JPEGFile
    /// The number of rows of the file, whatever the scale.
    private let rows: Int
    /// The memory for all coefficients of the file.
    private let coefficientBytes: Int

    /// Opens a decoder. Under the strictness `none`, if the file ends inside a table or a scan header, opens it again
    /// without the incomplete segment, because the scans before it can be decoded.
    static func opening<Decoder>(
        _ file: JPEGFile, _ options: DecodeOptions, _ open: (_ byteCount: Int?) throws(TexelError) -> Decoder
    ) throws(TexelError) -> Decoder {
        do { return try open(nil) } catch {
            guard error.kind == .truncated, options.policy.strictness == .none else { throw error }
            return try open(try file.wholeSegmentsEnd(options.stop))
        }
    }

    /// Reads the header.
    ///
    /// - Parameter byteCount: how many bytes to decode; `nil` for all.
    init(
        _ file: JPEGFile, frame: JPEGFile.Frame, options: DecodeOptions, byteCount: Int?
    ) throws(TexelError) {
        let size = PixelSize(width: frame.width, height: frame.height)
        try options.policy.limits.check(size)
        let layout = try file.coefficientLayout(of: frame, options.stop)
        try layout?.check(options)
        // Large images may have fewer scans.
        var options = options
        options.policy.limits.scans = options.policy.limits.scans(of: size)
        let input = DecoderInput(file.bytes, options.stop)
        var bytes = input.forLibrary(count: byteCount)
        var limits = options.policy.limits.jpeg
        guard
            let pointer = texel_jpeg_decoder_create(
                &bytes, &limits, StopToken.callback, options.stop.context)
        else { throw .outOfMemory }
        self.pointer = pointer
        self.input = input
        self.file = file
        self.options = options
        self.rows = frame.height
        self.coefficientBytes = layout?.byteCount ?? 0
        var header = texel_jpeg_header()
        let status = texel_jpeg_decoder_read_header(pointer, &header)
        self.header = header
        try check(status)
    }

    deinit { texel_jpeg_decoder_destroy(pointer) }

    /// Begins decoding.
    func start(_ begin: (OpaquePointer) -> texel_codec_status) throws(TexelError) {
        if options.skipsScans { texel_jpeg_decoder_skip_scans(pointer) }
        texel_jpeg_decoder_use_threads(pointer, Int32(clamping: options.parallelism))
        try check(begin(pointer))
        try checkReport()
    }

    /// Whether a call has read all the rows that it should. With the strictness `none`, a failure after the first rows
    /// ends the image there.
    ///
    /// - Parameter rowsRead: the number of rows handed out so far, those of this call included.
    func accepts(_ status: texel_codec_status, rowsRead: Int) throws(TexelError) -> Bool {
        if status == TEXEL_CODEC_FAILED, options.policy.strictness == .none, rowsRead > 0 {
            hasFailed = true
            return false
        }
        try check(status)
        try checkReport()
        file.bytes.release(before: texel_jpeg_decoder_position(pointer))
        return true
    }

    /// Reads to the end of the file, and returns the metadata and the first accepted warning or error message.
    ///
    /// - Parameter isComplete: whether all rows were read.
    func finish(isComplete: Bool) throws(TexelError) -> DecoderResult {
        // Damage after the last row affects no pixel, so it is at most a warning.
        if !hasFailed, isComplete, texel_jpeg_decoder_finish(pointer) == TEXEL_CODEC_STOPPED {
            try check(TEXEL_CODEC_STOPPED)
        }
        let report = report
        let truncation = report.truncated ? "\(report.truncation(rows: rows))" : ""
        let warning = [truncation, report.firstWarning, report.errorMessage].first { !$0.isEmpty }
        if options.policy.strictness == .warning, let warning { throw .warning(warning) }
        return DecoderResult(
            metadata: try file.metadata(limit: options.policy.limits.metadataBytes),
            warnings: warning.map { [$0] } ?? [],
            // Other readers refuse a file with an error after the last row, such as another scan of the same image.
            hasDamagedPixels: report.corrupt || report.truncated || !report.errorMessage.isEmpty)
    }

    private func check(_ status: texel_codec_status) throws(TexelError) {
        try report.check(status, options, input, rows: rows, coefficientBytes: coefficientBytes)
    }

    private func checkReport() throws(TexelError) { try report.check(options.policy.strictness, rows: rows) }

    private var report: texel_codec_report { texel_jpeg_decoder_report(pointer).pointee }
}
