import CJPEGShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Writes one JPEG file through libjpeg: its header, then rows or planes, then its end. What is finished goes to a
/// sink.
final class JPEGFileWriter {
    /// The format of the rows to write.
    enum Layout {
        case bgra
        case gray
        /// Planes, subsampled as in the file.
        case planes(isGray: Bool)
    }

    private let encoder: OpaquePointer
    private let stop: StopToken?
    private let sink: OutputSink

    /// The number of finished bytes that the library holds at least before they go to the sink.
    private static let sinkStep = 1 << 20

    /// The coefficients, which the library reads when the file is finished.
    private let coefficients: JPEGCoefficients?

    /// Begins a file of rows or planes, with the tables of the options or the library's own.
    ///
    /// - Parameter intervals: the restart intervals; `nil` for none.
    /// - Throws: `cannotEncode` if the format does not support the quality or the size.
    init(
        _ size: PixelSize, _ layout: Layout, options: JPEGOptions, metadata: WrittenMetadata, profile: ICCProfile?,
        intervals: RestartIntervals?, to sink: OutputSink, stop: StopToken?
    ) throws(TexelError) {
        try Self.check(size, options)
        guard let encoder = texel_jpeg_encoder_create(StopToken.callback, stop.context) else {
            throw .outOfMemory
        }
        self.encoder = encoder
        self.stop = stop
        self.sink = sink
        coefficients = nil
        var parameters = Self.parameters(size, layout, sampling: options.chromaFactors, metadata)
        parameters.quality = Int32(options.quality)
        parameters.progressive = options.isProgressive ?? options.quantization?.isProgressive ?? false
        parameters.optimize_huffman = options.quantization != nil && options.effort != .fast
        parameters.restart_interval = Int32(intervals?.mcuCount ?? 0)
        let steps = options.quantization.map { $0.tables.flatMap { $0 } } ?? []
        parameters.table_count = Int32(steps.count / 64)
        let status = steps.withUnsafeBufferPointer { steps in
            parameters.tables = steps.baseAddress
            return texel_jpeg_encoder_start(encoder, &parameters)
        }
        try check(status)
        try write(metadata, profile)
    }

    /// Begins a file of coefficients. Write nothing else; only call ``finish()``.
    ///
    /// - Parameters:
    ///   - scans: the scans to write; empty for a single sequential scan.
    ///   - tables: the Huffman tables of a sequential scan: of DC and of AC coefficients of luma, then of chroma; empty
    ///     for optimal ones.
    ///   - intervals: the restart intervals; `nil` for none.
    init(
        _ coefficients: JPEGCoefficients, scans: [ScanScript.Scan], tables: [[HuffmanTable]] = [],
        intervals: RestartIntervals? = nil, metadata: WrittenMetadata, profile: ICCProfile?, stop: StopToken?
    ) throws(TexelError) {
        guard let encoder = texel_jpeg_encoder_create(StopToken.callback, stop.context) else {
            throw .outOfMemory
        }
        self.encoder = encoder
        self.stop = stop
        sink = OutputSink()
        self.coefficients = coefficients
        var parameters = Self.parameters(
            coefficients.size, .planes(isGray: coefficients.components.count == 1), sampling: coefficients.sampling,
            metadata)
        parameters.optimize_huffman = tables.isEmpty
        parameters.restart_interval = Int32(intervals?.mcuCount ?? 0)
        let components = coefficients.components.map { component in
            texel_jpeg_component(
                blocks: UnsafePointer(component.blocks.base), width: Int32(component.blocks.width),
                height: Int32(component.blocks.height), quantizer: Int32(component.quantizer))
        }
        let quantizers = coefficients.quantizers.flatMap(\.steps)
        let scans = scans.map { scan in
            texel_jpeg_scan(
                components: scan.components.reduce(0) { $0 | 1 << Int32($1) },
                first: Int32(scan.coefficients.lowerBound), last: Int32(scan.coefficients.upperBound),
                high_bit: Int32(scan.highBit), low_bit: Int32(scan.lowBit))
        }
        let huffmanTables = tables.joined().flatMap(\.paddedBytes)
        let status = components.withUnsafeBufferPointer { components in
            quantizers.withUnsafeBufferPointer { quantizers in
                scans.withUnsafeBufferPointer { scans in
                    huffmanTables.withUnsafeBufferPointer { huffmanTables in
                        var coefficients = texel_jpeg_coefficients(
                            components: components.baseAddress, quantizers: quantizers.baseAddress,
                            scans: scans.baseAddress, scan_count: Int32(scans.count),
                            huffman_tables: huffmanTables.baseAddress, huffman_table_pairs: Int32(tables.count))
                        return texel_jpeg_encoder_start_coefficients(encoder, &parameters, &coefficients)
                    }
                }
            }
        }
        try check(status)
        try write(metadata, profile)
    }

    private static func parameters(
        _ size: PixelSize, _ layout: Layout, sampling: (horizontal: Int, vertical: Int), _ metadata: WrittenMetadata
    ) -> texel_jpeg_parameters {
        let density = metadata.density?.jfif ?? (unit: 0, x: 1, y: 1)
        return texel_jpeg_parameters(
            width: Int32(size.width), height: Int32(size.height), layout: layout.rows,
            color: layout.isGray ? TEXEL_JPEG_COLOR_GRAY : TEXEL_JPEG_COLOR_YCBCR, quality: 0,
            horizontal_sampling: Int32(sampling.horizontal), vertical_sampling: Int32(sampling.vertical),
            progressive: false, optimize_huffman: false, restart_interval: 0,
            density_unit: Int32(density.unit), density_x: Int32(density.x), density_y: Int32(density.y),
            tables: nil, table_count: 0)
    }

    /// - Throws: `cannotEncode` if the format does not support the quality, the size or the tables.
    static func check(_ size: PixelSize, _ options: JPEGOptions) throws(TexelError) {
        guard (1...100).contains(options.quality) else {
            throw .cannotEncode("invalid quality \(options.quality); JPEG quality is 1 to 100")
        }
        guard max(size.width, size.height) <= maximumSide else {
            throw .cannotEncode("a side of a JPEG has at most \(maximumSide) pixels; the image is \(size)")
        }
        // The tables may come from another process.
        guard options.quantization?.isValid ?? true else { throw .cannotEncode("the quantisation tables are invalid") }
    }

    private func write(_ metadata: WrittenMetadata, _ profile: ICCProfile?) throws(TexelError) {
        for segment in JPEGSegments.metadata(metadata) + JPEGSegments.profile(profile) {
            try check(
                texel_jpeg_encoder_write_marker(
                    encoder, Int32(segment.marker), segment.payload, segment.payload.count))
        }
    }

    /// The maximum side: less than the file's 16-bit fields allow, because of libjpeg's JPEG_MAX_DIMENSION.
    static let maximumSide = 65_500

    deinit { texel_jpeg_encoder_destroy(encoder) }

    /// Writes the next `count` rows of BGRA or grey pixels, `bytesPerRow` apart.
    private func writeRows(_ rows: UnsafePointer<UInt8>, bytesPerRow: Int, count: Int) throws(TexelError) {
        try check(texel_jpeg_encoder_write_rows(encoder, rows, bytesPerRow, Int32(count)))
        try passFinishedBytes()
    }

    /// The number of rows that are written, and counted, at a time.
    static let bandHeight = 64

    /// Writes rows of an image, in bands.
    ///
    /// - Parameters:
    ///   - rows: the rows; all of them by default.
    ///   - isGray: whether the layout is `gray`; the pixels must be grey then.
    ///   - progress: counts the bands.
    func writeRows(
        of image: PixelBuffer, _ rows: Range<Int>? = nil, isGray: Bool, _ progress: EncodingProgress? = nil
    ) throws(TexelError) {
        let bandHeight = Self.bandHeight
        let part = rows ?? 0..<image.height
        var grays = [UInt8](repeating: 0, count: isGray ? image.width * bandHeight : 0)
        try image.withUnsafeBytes { bytes throws(TexelError) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in stride(from: part.lowerBound, to: part.upperBound, by: bandHeight) {
                let count = min(bandHeight, part.upperBound - y)
                let rows = base + y * image.bytesPerRow
                defer { progress?.advance() }
                guard isGray else {
                    try writeRows(rows, bytesPerRow: image.bytesPerRow, count: count)
                    continue
                }
                for row in 0..<count {
                    for x in 0..<image.width {
                        grays[row * image.width + x] = rows[row * image.bytesPerRow + 4 * x]
                    }
                }
                try writeRows(grays, bytesPerRow: image.width, count: count)
            }
        }
    }

    /// Writes the next MCU row of every plane.
    ///
    /// - Parameters:
    ///   - rows: the first row of each plane, as wide as whole blocks. Samples to the right of the image are
    ///     overwritten.
    ///   - counts: the number of rows of each plane: eight times its vertical sampling, or fewer at the end.
    func writePlanes(
        _ rows: [UnsafeMutablePointer<UInt8>], bytesPerRow: [Int], counts: [Int]
    ) throws(TexelError) {
        let pointers: [UnsafeMutablePointer<UInt8>?] = rows
        try check(texel_jpeg_encoder_write_planes(encoder, pointers, bytesPerRow, counts.map { Int32($0) }))
        try passFinishedBytes()
    }

    private func passFinishedBytes() throws(TexelError) {
        var bytes: UnsafePointer<UInt8>?
        let count = texel_jpeg_encoder_take(encoder, Self.sinkStep, &bytes)
        if count > 0 { try sink.append(UnsafeRawBufferPointer(start: bytes, count: count)) }
    }

    /// Ends the file and returns its bytes.
    func finish() throws(TexelError) -> EncodedBytes {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(texel_jpeg_encoder_finish(encoder, &bytes, &count))
        try sink.append(UnsafeRawBufferPointer(start: bytes, count: count))
        return sink.finish()
    }

    /// Converts a status of libjpeg into an error.
    private func check(_ status: texel_codec_status) throws(TexelError) {
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw .stopped(stop?.reason ?? .cancelled)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .cannotEncode(texel_jpeg_encoder_report(encoder).pointee.errorMessage)
        }
    }
}

extension JPEGFileWriter.Layout {
    fileprivate var rows: texel_jpeg_layout {
        switch self {
        case .bgra: TEXEL_JPEG_BGRA
        case .gray: TEXEL_JPEG_GRAY
        case .planes: TEXEL_JPEG_RAW
        }
    }

    /// Whether the file has one component.
    var isGray: Bool {
        switch self {
        case .bgra: false
        case .gray: true
        case .planes(let isGray): isGray
        }
    }
}
