import CPNGShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a PNG file to BGRA32 rows; for an animation, the default image.
///
/// libpng reads the chunks, ``PNGPixelReader`` and ``InterlacedPixels`` the pixels. At the first defect libpng decodes
/// the file again from the start, so that errors and warnings depend on libpng alone.
final class PNGDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace
    /// Why the ICC profile is not used; `nil` if it is, or if there is none.
    let colorFault: String?

    private var decoder: OpaquePointer
    /// The input and the stop token of the C shim, which must be kept alive.
    private let file: PNGFile
    private let input: DecoderInput
    private let options: DecodeOptions
    private var chunks: PNGChunkWalk
    /// Decodes the pixels until there is a defect; `nil` if libpng does.
    private var pixelReader: PixelReader?
    private var rowsRead = 0
    /// Whether the library has failed under the strictness `none`; it must not be called again.
    private var hasFailed = false
    private let header: PNGFile.Header
    /// An interlaced image is decoded as a whole, at the first read.
    private var interlaced: InterlacedPixels?

    /// The reader of the pixels without libpng.
    private enum PixelReader {
        case rows(PNGPixelReader)
        /// The position of the first IDAT chunk, of an interlaced image.
        case passes(at: Int, PNGRowConverter)
    }

    /// - Parameter usesOwnReaders: false if libpng shall decode the pixels in any case, as the reference of tests.
    init(
        _ file: PNGFile, header: PNGFile.Header, options: DecodeOptions, usesOwnReaders: Bool = true
    ) throws(TexelError) {
        let size = PixelSize(width: header.width, height: header.height)
        try options.policy.limits.check(size)
        guard header.inflatedBytes <= options.policy.limits.inflatedBytes else {
            throw .limitExceeded(
                .inflatedBytes, value: header.inflatedBytes, allowed: options.policy.limits.inflatedBytes)
        }
        var chunks = try PNGChunkWalk(file, options.policy.limits, options.stop)
        // While the file is still arriving, the chunks after the pixels are checked when they are read.
        if file.bytes.wholeCount != nil { try chunks.finish() }
        let frames = chunks.frameCount
        guard frames <= options.policy.limits.frames else {
            throw .limitExceeded(.frames, value: frames, allowed: options.policy.limits.frames)
        }
        let input = DecoderInput(file.bytes, options.stop)
        let pixels = usesOwnReaders ? chunks.pixels : nil
        let (decoder, details, colors) = try Self.open(file, input, options, without: pixels)
        if let pixels,
            let converter = PNGRowConverter(
                header, palette: colors.palette, colorKey: colors.key, dithers: options.dithers)
        {
            pixelReader =
                header.isInterlaced
                ? .passes(at: pixels, converter)
                : .rows(PNGPixelReader(file, header, pixels: pixels, converter, options: options))
        }
        self.decoder = decoder
        self.file = file
        self.input = input
        self.chunks = chunks
        self.options = options
        self.size = size
        self.alphaMode = details.has_transparency ? .straight : .opaque
        self.header = header
        let points = try file.codePoints(options.stop).map { ColorSpace.codePoints($0) }
        let profile = chunks.head.contains { $0.name == "iCCP" } ? Self.profile(of: decoder) : .absent
        self.colorFault = profile.fault
        self.colorSpace =
            points.map { $0.isSRGB ? .sRGB : $0 } ?? profile.colorSpace(orElse: Self.colorSpace(of: decoder))
    }

    deinit { texel_png_decoder_destroy(decoder) }

    /// Opens a decoder that has read everything before the pixels.
    ///
    /// - Parameter pixels: the position of the IDAT chunks if the library must not read them.
    private static func open(
        _ file: PNGFile, _ input: DecoderInput, _ options: DecodeOptions, without pixels: Int?
    ) throws(TexelError) -> (OpaquePointer, texel_png_header, (palette: [UInt32], key: [UInt16]?)) {
        var limits = texel_png_limits(
            max_width: UInt32(clamping: options.policy.limits.side),
            max_height: UInt32(clamping: options.policy.limits.side),
            max_chunk_bytes: options.policy.limits.metadataBytes, max_chunks: 1000,
            max_warnings: Int32(clamping: options.policy.limits.warnings))
        var bytes = input.forLibrary(count: nil)
        let decoder = withUnsafePointer(to: pixels ?? 0) { position in
            texel_png_decoder_create(
                &bytes, pixels == nil ? nil : position, &limits, StopToken.callback, options.stop.context)
        }
        guard let decoder else { throw .outOfMemory }
        var details = texel_png_header()
        let colors: (palette: [UInt32], key: [UInt16]?)
        do throws(TexelError) {
            try check(texel_png_decoder_read_header(decoder, &details), decoder, file, input, options, rowsRead: 0)
            // They must be read before the start, because expanding them to alpha discards them.
            colors = (palette(of: decoder), colorKey(of: decoder))
            try check(texel_png_decoder_start(decoder, options.dithers), decoder, file, input, options, rowsRead: 0)
        } catch {
            texel_png_decoder_destroy(decoder)
            throw error
        }
        return (decoder, details, colors)
    }

    /// Lets libpng read the pixels.
    private func reopen() throws(TexelError) {
        pixelReader = nil
        let (whole, _, _) = try Self.open(file, input, options, without: nil)
        texel_png_decoder_destroy(decoder)
        decoder = whole
    }

    /// Lets libpng decode the image from the first row, and skips the rows that have been returned.
    private func restart() throws(TexelError) {
        try reopen()
        let row = UnsafeMutablePointer<UInt8>.allocate(capacity: size.width * PixelBuffer.bytesPerPixel)
        defer { row.deallocate() }
        for index in 0..<rowsRead {
            var done: Int32 = 0
            let status = texel_png_decoder_read_rows(decoder, row, 0, 1, &done)
            if status == TEXEL_CODEC_FAILED, options.policy.strictness == .none, index > 0 {
                // libpng rejects a code in a chunk with a valid checksum, from which rows have already been returned.
                hasFailed = true
                return
            }
            try Self.check(status, decoder, file, input, options, rowsRead: index)
        }
    }

    func readRows(
        _ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(TexelError) {
        if header.isInterlaced { return try readInterlacedRows(count, into: rows, bytesPerRow: bytesPerRow) }
        try options.stop?.check()
        guard case .rows(let reader) = pixelReader else {
            return try readRowsThroughLibrary(count, into: rows, bytesPerRow: bytesPerRow)
        }
        let sound = reader.read(count, into: rows, bytesPerRow: bytesPerRow)
        rowsRead += sound
        guard sound < count else {
            return try Self.check(TEXEL_CODEC_OK, decoder, file, input, options, rowsRead: rowsRead)
        }
        if let interruption = reader.interruption { throw interruption }
        try restart()
        try readRowsThroughLibrary(count - sound, into: rows + sound * bytesPerRow, bytesPerRow: bytesPerRow)
    }

    private func readRowsThroughLibrary(
        _ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(TexelError) {
        var done: Int32 = 0
        let status =
            hasFailed
            ? TEXEL_CODEC_FAILED
            : texel_png_decoder_read_rows(
                decoder, rows.assumingMemoryBound(to: UInt8.self), bytesPerRow, Int32(count), &done)
        rowsRead += Int(done)
        if status == TEXEL_CODEC_FAILED, options.policy.strictness == .none, rowsRead > 0 {
            hasFailed = true
            // Missing rows become transparent or black, so that uninitialised memory is not exposed.
            for y in Int(done)..<count {
                let row = (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
                row.update(repeating: alphaMode.missingPixel, count: size.width)
            }
            return
        }
        try Self.check(status, decoder, file, input, options, rowsRead: rowsRead)
    }

    func wholeImage() throws(TexelError) -> PixelBuffer? {
        guard header.isInterlaced else { return nil }
        try options.stop?.check()
        let image = try deinterlacedImage()
        rowsRead = size.height
        return image
    }

    private func readInterlacedRows(
        _ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(TexelError) {
        try options.stop?.check()
        for y in 0..<count {
            let target = rows + y * bytesPerRow
            if try !interlacedPixels().copyRow(rowsRead, to: target) {
                // An index that is not in the palette.
                let pixels = InterlacedPixels.image(try imageFromLibrary())
                interlaced = pixels
                _ = pixels.copyRow(rowsRead, to: target)
            }
            rowsRead += 1
        }
    }

    private func interlacedPixels() throws(TexelError) -> InterlacedPixels {
        if let interlaced { return interlaced }
        let pixels: InterlacedPixels
        if case .passes(let position, let converter) = pixelReader,
            converter.bitsPerPixel < 8 * PixelBuffer.bytesPerPixel
        {
            if let samples = try PNGSamples(file, header, at: position, options) {
                pixels = .stored(samples, converter)
            } else {
                pixels = .image(try imageFromLibrary())
            }
        } else {
            pixels = .image(try deinterlacedImage())
        }
        interlaced = pixels
        return pixels
    }

    private func deinterlacedImage() throws(TexelError) -> PixelBuffer {
        if case .passes(let position, let converter) = pixelReader {
            var image = try emptyImage()
            if try InterlacedPixels.read(file, header, at: position, converter, options: options, into: &image) {
                return image
            }
        }
        return try imageFromLibrary()
    }

    private func imageFromLibrary() throws(TexelError) -> PixelBuffer {
        if pixelReader != nil { try reopen() }
        // Late passes may be missing in a damaged file; their pixels stay transparent or black.
        var image = try emptyImage()
        let bytesPerRow = image.bytesPerRow
        let status = image.withUnsafeMutableBytes { bytes in
            texel_png_decoder_read_interlaced(
                decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytesPerRow)
        }
        hasFailed = status == TEXEL_CODEC_FAILED && options.policy.strictness == .none
        if !hasFailed { try Self.check(status, decoder, file, input, options, rowsRead: 0) }
        return image
    }

    private func emptyImage() throws(TexelError) -> PixelBuffer {
        return try PixelBuffer(
            width: size.width, height: size.height, filledWith: alphaMode.missingPixel, alphaMode: alphaMode,
            colorSpace: colorSpace)
    }

    func finish() throws(TexelError) -> DecoderResult {
        var (earlierWarning, windowWarning) = ("", "")
        if !hasFailed, pixelReader != nil, let pixels = chunks.pixels {
            texel_png_decoder_set_pixels_end(decoder, try pixelsEnd())
            let window = try file.exceededWindow(
                ofPixelsAt: pixels, inflatedBytes: header.inflatedBytes, options.stop)
            if let window { windowWarning = "IDAT: distances exceed the declared window of \(window) bytes" }
        } else if !hasFailed, texel_png_decoder_has_excess(decoder) {
            earlierWarning = texel_png_decoder_report(decoder).pointee.firstWarning
            try passOverPixels()
        }
        // If the whole file was available at the start, this has been checked then.
        try chunks.finish()
        // Damage after the pixels affects only metadata.
        let status = hasFailed ? TEXEL_CODEC_FAILED : texel_png_decoder_finish(decoder)
        if status == TEXEL_CODEC_STOPPED { try Self.check(status, decoder, file, input, options, rowsRead: rowsRead) }
        let report = texel_png_decoder_report(decoder).pointee
        // The header has reported a profile that libpng refuses.
        let isNew = { (warning: String) in !warning.isEmpty && (self.colorFault == nil || !warning.hasPrefix("iCCP:")) }
        var warnings = [earlierWarning, windowWarning, report.firstWarning, report.errorMessage].filter(isNew)
        if warnings.isEmpty, file.bytes.wholeCount != nil {
            let valid = PNGValidChunks(file, header, colorSpace, limits: options.policy.limits)
            warnings = [valid.warning].compactMap { $0 }.filter(isNew)
        }
        if options.policy.strictness == .error, report.truncated {
            throw .truncated(rowsRead: rowsRead, rows: size.height)
        }
        if options.policy.strictness == .warning, let first = warnings.first { throw .warning(first) }
        // libpng has only read the pixels if they have a defect.
        return DecoderResult(
            metadata: Self.metadata(of: decoder), warnings: Array(warnings.prefix(1)),
            hasDamagedPixels: pixelReader == nil)
    }

    /// Returns the end of the consecutive IDAT chunks.
    private func pixelsEnd(checking check: (PNGFile.Chunk) throws(TexelError) -> Void = { _ in }) throws(TexelError)
        -> Int
    {
        var end = chunks.pixels ?? 0
        while let chunk = try file.chunk(at: end, options.stop), chunk.name == "IDAT" {
            try check(chunk)
            end = chunk.whole.upperBound
        }
        return end
    }

    /// Replaces the decoder by one that continues after the pixels, because libpng would inflate the rest of them.
    private func passOverPixels() throws(TexelError) {
        let end = try pixelsEnd { chunk throws(TexelError) in
            let (declared, computed) = file.checksums(of: chunk)
            if declared != computed, options.policy.strictness != .none {
                throw .png(.checksumMismatch(of: "\(chunk.name) chunk", declared: declared, computed: computed))
            }
        }
        let (rest, _, _) = try Self.open(file, input, options, without: chunks.pixels)
        texel_png_decoder_destroy(decoder)
        decoder = rest
        texel_png_decoder_set_pixels_end(decoder, end)
    }

    /// Converts a status of libpng into an error.
    private static func check(
        _ status: texel_codec_status, _ decoder: OpaquePointer, _ file: PNGFile, _ input: DecoderInput,
        _ options: DecodeOptions, rowsRead: Int
    ) throws(TexelError) {
        let report = texel_png_decoder_report(decoder).pointee
        switch status {
        case TEXEL_CODEC_OK:
            if options.policy.strictness == .warning, report.warnings > 0 { throw .warning(report.firstWarning) }
        case TEXEL_CODEC_STOPPED: throw input.stopError
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        case TEXEL_CODEC_WARNING_LIMIT:
            throw .limitExceeded(.warnings, value: Int(report.warnings), allowed: options.policy.limits.warnings)
        default:
            if report.truncated {
                let rows = (try? file.header().height) ?? 0
                throw .truncated(rowsRead: rowsRead, rows: rows)
            }
            throw try file.diagnosis(
                of: report.errorMessage, at: texel_png_decoder_position(decoder), options.stop)
        }
    }
}

// MARK: Contents of the chunks

extension PNGDecoder {
    /// The number of frames of an animation; 1 for a still image.
    var frameCount: Int { chunks.frameCount }

    /// Whether the file holds more than one image.
    var isAnimation: Bool { chunks.isAnimation }

    /// Whether all chunks of the file have been read.
    var hasReadAllChunks: Bool { chunks.hasEnded }

    /// Returns the metadata of the file, without those after the pixels if they have not arrived. No row may be read
    /// afterwards.
    ///
    /// - Throws: `stopped`.
    func takeMetadata() throws(TexelError) -> ImageMetadata {
        if chunks.hasMetadataAfterPixels {
            texel_png_decoder_set_pixels_end(decoder, try pixelsEnd())
            // Damage after the pixels affects only metadata; the decoder of the pixels reports it.
            if texel_png_decoder_finish(decoder) == TEXEL_CODEC_STOPPED { throw input.stopError }
        }
        return Self.metadata(of: decoder)
    }
}
