import CCodecShims
import TexelPixels

/// Makes a JPEG file of another's coefficients, moved: nothing is decoded to pixels, nothing is quantised again.
struct JPEGTranscoder {
    let file: JPEGFile
    let frame: JPEGFile.Frame
    let options: DecodeOptions

    /// - Parameters:
    ///   - move: aligned to the blocks.
    ///   - encoding: says how to code; its quality and subsampling are the file's own. Without a wish the process
    ///     (baseline or progressive) is the file's own too.
    ///   - segments: what stands in front of the tables.
    /// - Returns: the file and the warnings that passed; `nil` where libjpeg cannot write what it read (odd sampling,
    ///   coefficients out of range), and for damage, which the decoder judges: it knows which rows are whole.
    /// - Throws: `limitExceeded`, `outOfMemory`, `stopped`.
    func moved(
        _ move: CoefficientMove, encoding: JPEGOptions, segments: [JPEGSegments.Segment]
    ) throws(CodecError) -> (bytes: [UInt8], warnings: [String])? {
        let size = PixelSize(width: frame.width, height: frame.height)
        try options.limits.check(size)
        var options = options
        options.limits.scans = options.limits.scans(of: size)
        // Lives as long as the library may ask for bytes.
        let input = DecoderInput(file.bytes, options.stopCheck)
        var bytes = input.forLibrary(count: nil)
        var limits = options.limits.jpeg
        guard
            let transcoder = texel_jpeg_transcoder_create(
                &bytes, &limits, StopCheck.callback, options.stopCheck.context)
        else { throw .outOfMemory }
        defer { withExtendedLifetime(input) { texel_jpeg_transcoder_destroy(transcoder) } }

        var isProgressive = false
        let status = texel_jpeg_transcoder_read(transcoder, &isProgressive)
        let report = texel_jpeg_transcoder_report(transcoder).pointee
        if status == TEXEL_CODEC_FAILED || !report.passes(options.strictness) { return nil }
        try report.check(status, options, input, rowsRead: 0, rows: frame.height)

        func written(_ isProgressive: Bool) throws(CodecError) -> [UInt8]? {
            try self.bytes(of: move, from: transcoder, input, isProgressive, encoding, segments)
        }
        guard var result = try written(encoding.isProgressive ?? isProgressive) else { return nil }
        if encoding.effort == .best, encoding.isProgressive == nil, let other = try written(!isProgressive),
            other.count < result.count
        {
            result = other
        }
        return (result, report.warnings > 0 ? [report.firstWarning] : [])
    }

    private func bytes(
        of move: CoefficientMove, from transcoder: OpaquePointer, _ input: DecoderInput, _ isProgressive: Bool,
        _ encoding: JPEGOptions, _ segments: [JPEGSegments.Segment]
    ) throws(CodecError) -> [UInt8]? {
        let (rectangle, orientation) = (move.rectangle, move.orientation)
        var blocks = texel_jpeg_move(
            x: Int32(rectangle.x), y: Int32(rectangle.y), width: Int32(rectangle.width),
            height: Int32(rectangle.height), transposes: orientation.transposes, mirrors_x: orientation.mirrorsX,
            mirrors_y: orientation.mirrorsY)
        var status = texel_jpeg_transcoder_start(transcoder, &blocks, isProgressive, encoding.effort != .fast)
        for segment in segments where status == TEXEL_CODEC_OK {
            status = texel_jpeg_transcoder_write_marker(
                transcoder, Int32(segment.marker), segment.payload, segment.payload.count)
        }
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        if status == TEXEL_CODEC_OK { status = texel_jpeg_transcoder_finish(transcoder, &bytes, &count) }
        if status == TEXEL_CODEC_FAILED { return nil }
        let report = texel_jpeg_transcoder_report(transcoder).pointee
        try report.check(status, options, input, rowsRead: frame.height, rows: frame.height)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
