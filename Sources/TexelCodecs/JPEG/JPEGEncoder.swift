import CCodecShims
import TexelPixels

/// Encodes pixel buffers as JPEG files through libjpeg.
struct JPEGEncoder {
    private let options: JPEGOptions
    private let metadata: WrittenMetadata
    private let stopCheck: StopCheck?

    /// The longest side that the file's 16-bit fields and libjpeg allow (JPEG_MAX_DIMENSION).
    static let maximumSide = 65_500

    init(_ options: JPEGOptions, metadata: WrittenMetadata, stopCheck: StopCheck?) {
        self.options = options
        self.metadata = metadata
        self.stopCheck = stopCheck
    }

    func encode(_ picture: PixelBuffer, background: PixelColor) throws(CodecError) -> [UInt8] {
        guard (1...100).contains(options.quality) else {
            throw .cannotEncode("JPEG has no quality \(options.quality); it goes from 1 to 100")
        }
        guard max(picture.width, picture.height) <= Self.maximumSide else {
            throw .cannotEncode("a JPEG has at most \(Self.maximumSide) pixels a side, not \(picture.size)")
        }
        let (prepared, profile) = try prepare(picture, background: background)
        let isGray = profile?.colorModel != .rgb && prepared.isGray
        let bytes = try encode(prepared, isGray: isGray, profile: profile, isProgressive: progressive)
        guard options.effort == .best, options.isProgressive == nil else { return bytes }
        // Small pictures are often smaller with a single scan.
        let baseline = try encode(prepared, isGray: isGray, profile: profile, isProgressive: false)
        return baseline.count < bytes.count ? baseline : bytes
    }

    private var progressive: Bool { options.isProgressive ?? (options.effort != .fast) }

    /// Opaque pixels, and the profile to write; a profile that does not fit the pixels is applied instead.
    private func prepare(
        _ picture: PixelBuffer, background: PixelColor
    ) throws(CodecError) -> (PixelBuffer, ICCProfile?) {
        do {
            var opaque = picture.alphaMode == .opaque ? picture : try picture.flattened(on: background)
            var profile = try opaque.colorSpace.embeddableProfile()
            if profile?.colorModel == .gray, !opaque.isGray {
                opaque = try opaque.convertedToSRGB()
                profile = nil
            }
            return (opaque, profile)
        } catch {
            throw .pixels(error)
        }
    }

    private func encode(
        _ picture: PixelBuffer, isGray: Bool, profile: ICCProfile?, isProgressive: Bool
    ) throws(CodecError) -> [UInt8] {
        guard let encoder = texel_jpeg_encoder_create(StopCheck.callback, stopCheck.context) else {
            throw .outOfMemory
        }
        defer { texel_jpeg_encoder_destroy(encoder) }
        let factors = options.subsampling.factors(quality: options.quality)
        let density = metadata.density?.jfif ?? (unit: 0, x: 1, y: 1)
        var parameters = texel_jpeg_parameters(
            width: Int32(picture.width), height: Int32(picture.height),
            layout: isGray ? TEXEL_JPEG_GRAY : TEXEL_JPEG_BGRA,
            color: isGray ? TEXEL_JPEG_COLOR_GRAY : TEXEL_JPEG_COLOR_YCBCR,
            quality: Int32(options.quality),
            horizontal_sampling: factors.horizontal, vertical_sampling: factors.vertical,
            progressive: isProgressive, optimize_huffman: options.effort != .fast,
            density_unit: Int32(density.unit), density_x: Int32(density.x), density_y: Int32(density.y))
        try check(texel_jpeg_encoder_start(encoder, &parameters), encoder)
        for segment in JPEGSegments.metadata(metadata) + JPEGSegments.profile(profile) {
            try check(
                texel_jpeg_encoder_write_marker(
                    encoder, Int32(segment.marker), segment.payload, segment.payload.count), encoder)
        }
        try writeRows(of: picture, isGray: isGray, to: encoder)
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(texel_jpeg_encoder_finish(encoder, &bytes, &count), encoder)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func writeRows(of picture: PixelBuffer, isGray: Bool, to encoder: OpaquePointer) throws(CodecError) {
        let bandHeight = 64
        var grays = [UInt8](repeating: 0, count: isGray ? picture.width * bandHeight : 0)
        try picture.withUnsafeBytes { bytes throws(CodecError) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in stride(from: 0, to: picture.height, by: bandHeight) {
                let count = min(bandHeight, picture.height - y)
                let rows = base + y * picture.bytesPerRow
                guard isGray else {
                    try check(
                        texel_jpeg_encoder_write_rows(encoder, rows, picture.bytesPerRow, Int32(count)), encoder)
                    continue
                }
                for row in 0..<count {
                    for x in 0..<picture.width {
                        grays[row * picture.width + x] = rows[row * picture.bytesPerRow + 4 * x]
                    }
                }
                try check(texel_jpeg_encoder_write_rows(encoder, grays, picture.width, Int32(count)), encoder)
            }
        }
    }

    /// The one place where libjpeg's answers become errors.
    private func check(_ status: texel_codec_status, _ encoder: OpaquePointer) throws(CodecError) {
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw .stopped(stopCheck?.reason ?? .cancelled)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .cannotEncode(texel_jpeg_encoder_report(encoder).pointee.errorMessage)
        }
    }
}
