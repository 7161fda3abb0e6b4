import CCodecShims
import TexelPixels

/// Writes one JPEG file through libjpeg: its header, then rows or planes, then its end.
package final class JPEGFileWriter {
    /// What the rows are that will be written.
    enum Layout {
        case bgra
        case gray
        /// Planes that are as coarse as the file's sampling asks for.
        case planes(isGray: Bool)
    }

    private let encoder: OpaquePointer
    private let stopCheck: StopCheck?

    /// Begins a file.
    ///
    /// - Throws: `cannotEncode` for a quality or size that the format does not have.
    init(
        _ size: PixelSize, _ layout: Layout, options: JPEGOptions, isProgressive: Bool, metadata: WrittenMetadata,
        profile: ICCProfile?, stopCheck: StopCheck?
    ) throws(CodecError) {
        guard (1...100).contains(options.quality) else {
            throw .cannotEncode("JPEG has no quality \(options.quality); it goes from 1 to 100")
        }
        guard max(size.width, size.height) <= Self.maximumSide else {
            throw .cannotEncode("a JPEG has at most \(Self.maximumSide) pixels a side, not \(size)")
        }
        guard let encoder = texel_jpeg_encoder_create(StopCheck.callback, stopCheck.context) else {
            throw .outOfMemory
        }
        self.encoder = encoder
        self.stopCheck = stopCheck
        let factors = options.subsampling.factors(quality: options.quality)
        let density = metadata.density?.jfif ?? (unit: 0, x: 1, y: 1)
        var parameters = texel_jpeg_parameters(
            width: Int32(size.width), height: Int32(size.height),
            layout: layout.rows, color: layout.isGray ? TEXEL_JPEG_COLOR_GRAY : TEXEL_JPEG_COLOR_YCBCR,
            quality: Int32(options.quality),
            horizontal_sampling: factors.horizontal, vertical_sampling: factors.vertical,
            progressive: isProgressive, optimize_huffman: options.effort != .fast,
            density_unit: Int32(density.unit), density_x: Int32(density.x), density_y: Int32(density.y))
        try check(texel_jpeg_encoder_start(encoder, &parameters))
        for segment in JPEGSegments.metadata(metadata) + JPEGSegments.profile(profile) {
            try check(
                texel_jpeg_encoder_write_marker(
                    encoder, Int32(segment.marker), segment.payload, segment.payload.count))
        }
    }

    /// The longest side that the file's 16-bit fields and libjpeg allow (JPEG_MAX_DIMENSION).
    private static let maximumSide = 65_500

    deinit { texel_jpeg_encoder_destroy(encoder) }

    /// Writes the next `count` rows of BGRA or grey pixels, each `bytesPerRow` after the one before.
    func writeRows(_ rows: UnsafePointer<UInt8>, bytesPerRow: Int, count: Int) throws(CodecError) {
        try check(texel_jpeg_encoder_write_rows(encoder, rows, bytesPerRow, Int32(count)))
    }

    /// Writes the next row of blocks of every plane.
    ///
    /// - Parameters:
    ///   - rows: where each plane's rows begin; they are as wide as whole blocks, and what lies right of the picture in
    ///     them is overwritten.
    ///   - counts: how many rows there are of each plane: eight times its vertical sampling, or fewer at the end.
    package func writePlanes(
        _ rows: [UnsafeMutablePointer<UInt8>], bytesPerRow: [Int], counts: [Int]
    ) throws(CodecError) {
        let pointers: [UnsafeMutablePointer<UInt8>?] = rows
        try check(texel_jpeg_encoder_write_planes(encoder, pointers, bytesPerRow, counts.map { Int32($0) }))
    }

    /// Ends the file and gives its bytes.
    package func finish() throws(CodecError) -> [UInt8] {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(texel_jpeg_encoder_finish(encoder, &bytes, &count))
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The one place where libjpeg's answers become errors.
    private func check(_ status: texel_codec_status) throws(CodecError) {
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw .stopped(stopCheck?.reason ?? .cancelled)
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

    fileprivate var isGray: Bool {
        switch self {
        case .bgra: false
        case .gray: true
        case .planes(let isGray): isGray
        }
    }
}
