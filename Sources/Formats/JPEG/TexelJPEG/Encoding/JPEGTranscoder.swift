import CJPEGShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Writes a JPEG's coefficients, possibly moved, to a new file without decoding or quantising them again.
struct JPEGTranscoder {
    let file: JPEGFile
    let frame: JPEGFile.Frame
    let options: DecodeOptions

    /// Crops, turns and mirrors the image.
    ///
    /// - Parameters:
    ///   - move: the transform, aligned to the blocks.
    ///   - settings: the effort, and the process if set; otherwise the file's process (baseline or progressive) is
    ///     kept. Quality and subsampling are always kept.
    ///   - segments: the segments to write before the tables.
    /// - Returns: the file and the accepted warnings; `nil` if libjpeg cannot write what it read (unusual sampling,
    ///   coefficients out of range), or if the file is damaged: then it must be decoded, to find out which rows are
    ///   intact.
    /// - Throws: `limitExceeded`, `outOfMemory`, `stopped`.
    func moved(
        _ move: CoefficientMove, settings: EncodingSettings, segments: [JPEGSegments.Segment]
    ) throws(TexelError) -> (bytes: [UInt8], warnings: [String])? {
        let result = try withCoefficients { transcoder, input, isProgressive throws(TexelError) -> [UInt8]? in
            func written(_ isProgressive: Bool) throws(TexelError) -> [UInt8]? {
                try self.bytes(
                    of: move, from: transcoder, input, isProgressive, optimizesHuffman: settings.effort != .fast,
                    segments)
            }
            guard let result = try written(settings.isProgressive ?? isProgressive) else { return nil }
            if settings.effort == .best, settings.isProgressive == nil, let other = try written(!isProgressive),
                other.count < result.count
            {
                return other
            }
            return result
        }
        return result.map { (bytes: $0, warnings: $1) }
    }

    /// Codes the same coefficients in fewer bytes: with optimal Huffman tables and the smallest scans.
    ///
    /// The result is never larger than with libjpeg's own progressive scans and optimal tables.
    ///
    /// - Parameters:
    ///   - isProgressive: the process; `nil` for the smaller one.
    ///   - profile: the colour profile to write.
    /// - Returns: as ``moved(_:settings:segments:)``.
    /// - Throws: `limitExceeded`, `outOfMemory`, `stopped`.
    func optimized(
        isProgressive: Bool?, metadata: WrittenMetadata, profile: ICCProfile?, parallelism: Int
    ) throws(TexelError) -> (bytes: [UInt8], warnings: [String])? {
        let segments = file.applicationSegments(metadata: metadata, profile: profile)
        let whole = CoefficientMove(
            PixelRectangle(x: 0, y: 0, width: frame.width, height: frame.height), .identity)
        let result = try withCoefficients { transcoder, input, _ throws(TexelError) -> [UInt8]? in
            func written(_ isProgressive: Bool) throws(TexelError) -> [UInt8]? {
                try self.bytes(of: whole, from: transcoder, input, isProgressive, optimizesHuffman: true, segments)
            }
            // This also rejects coefficients that are out of range.
            guard var smallest = try written(isProgressive ?? true) else { return nil }
            let rows = BlockRows(parallelism: parallelism, stop: options.stop)
            if let coefficients = try coefficients(of: transcoder) {
                let script = try ScanChoice(coefficients, rows).smallest(isProgressive: isProgressive)
                let own = try JPEGFileWriter(
                    coefficients, scans: script.scans, metadata: metadata, profile: profile,
                    stop: options.stop
                ).finish().inMemory
                if own.count < smallest.count { smallest = own }
            } else if isProgressive == nil, let sequential = try written(false),
                sequential.count < smallest.count
            {
                smallest = sequential
            }
            return smallest
        }
        return result.map { (bytes: $0, warnings: $1) }
    }

    /// Returns the coefficients; `nil` if the colour model or the sampling is unusual, or the file is damaged.
    ///
    /// - Throws: `limitExceeded`, `outOfMemory`, `stopped`.
    func coefficients() throws(TexelError) -> JPEGCoefficients? {
        try withCoefficients { transcoder, _, _ throws(TexelError) in try coefficients(of: transcoder) }?.0
    }

    /// Returns the coefficients for Texel's own choice of scans; `nil` if it does not support the colour model or
    /// sampling.
    private func coefficients(of transcoder: OpaquePointer) throws(TexelError) -> JPEGCoefficients? {
        guard let (across, down) = frame.codedChromaFactors, file.writesYCbCr(frame) else { return nil }
        var components: [JPEGCoefficients.Component] = []
        var quantizers: [QuantizationTable] = []
        for index in frame.components.indices {
            let (horizontal, vertical) = index == 0 ? (1, 1) : (across, down)
            let size = PixelSize(
                width: (frame.width + horizontal - 1) / horizontal, height: (frame.height + vertical - 1) / vertical)
            let blocks = try BlockPlane(covering: size)
            var steps = [UInt16](repeating: 0, count: 64)
            let status = texel_jpeg_transcoder_copy(
                transcoder, Int32(index), blocks.base, Int32(blocks.width), Int32(blocks.height), &steps)
            // In a baseline file the steps are bytes.
            guard status == TEXEL_CODEC_OK, steps.allSatisfy({ (1...255).contains($0) }) else { return nil }
            let table = QuantizationTable(steps: steps)
            let number = quantizers.firstIndex(of: table) ?? quantizers.count
            if number == quantizers.count { quantizers.append(table) }
            components.append(JPEGCoefficients.Component(blocks: blocks, quantizer: number))
        }
        return JPEGCoefficients(
            size: PixelSize(width: frame.width, height: frame.height), sampling: (across, down),
            components: components, quantizers: quantizers)
    }

    /// The memory for all coefficients.
    private var coefficientBytes: Int { frame.coefficientByteCounts.all }

    /// Reads the coefficients.
    ///
    /// - Parameter body: makes a value of them; its last argument is whether the source is progressive.
    private func withCoefficients<Value>(
        _ body: (OpaquePointer, DecoderInput, _ isProgressive: Bool) throws(TexelError) -> Value?
    ) throws(TexelError) -> (Value, [String])? {
        let size = PixelSize(width: frame.width, height: frame.height)
        try options.policy.limits.check(size)
        try options.policy.limits.checkCodec(Double(coefficientBytes))
        var options = options
        options.policy.limits.scans = options.policy.limits.scans(of: size)
        // Kept alive as long as the library may read from it.
        let input = DecoderInput(file.bytes, options.stop)
        var bytes = input.forLibrary(count: nil)
        var limits = options.policy.limits.jpeg
        guard
            let transcoder = texel_jpeg_transcoder_create(
                &bytes, &limits, StopToken.callback, options.stop.context)
        else { throw .outOfMemory }
        defer { withExtendedLifetime(input) { texel_jpeg_transcoder_destroy(transcoder) } }

        var isProgressive = false
        let status = texel_jpeg_transcoder_read(transcoder, &isProgressive)
        let report = texel_jpeg_transcoder_report(transcoder).pointee
        if status == TEXEL_CODEC_FAILED || !report.passes(options.policy.strictness) { return nil }
        try report.check(
            status, options, input, rows: frame.height, coefficientBytes: coefficientBytes)

        guard let result = try body(transcoder, input, isProgressive) else { return nil }
        return (result, report.warnings > 0 ? [report.firstWarning] : [])
    }

    private func bytes(
        of move: CoefficientMove, from transcoder: OpaquePointer, _ input: DecoderInput, _ isProgressive: Bool,
        optimizesHuffman: Bool, _ segments: [JPEGSegments.Segment]
    ) throws(TexelError) -> [UInt8]? {
        let (rectangle, orientation) = (move.rectangle, move.orientation)
        var blocks = texel_jpeg_move(
            x: Int32(rectangle.x), y: Int32(rectangle.y), width: Int32(rectangle.width),
            height: Int32(rectangle.height), transposes: orientation.transposes, mirrors_x: orientation.mirrorsX,
            mirrors_y: orientation.mirrorsY)
        var status = texel_jpeg_transcoder_start(transcoder, &blocks, isProgressive, optimizesHuffman)
        for segment in segments where status == TEXEL_CODEC_OK {
            status = texel_jpeg_transcoder_write_marker(
                transcoder, Int32(segment.marker), segment.payload, segment.payload.count)
        }
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        if status == TEXEL_CODEC_OK { status = texel_jpeg_transcoder_finish(transcoder, &bytes, &count) }
        if status == TEXEL_CODEC_FAILED { return nil }
        let report = texel_jpeg_transcoder_report(transcoder).pointee
        try report.check(
            status, options, input, rows: frame.height, coefficientBytes: coefficientBytes)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
