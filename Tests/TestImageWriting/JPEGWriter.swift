import CJPEGShim
package import TexelPixels

/// Writes JPEG files of kinds that the encoder under test never makes: inks, and any segment anywhere.
package struct JPEGWriter {
    package enum Color: Sendable {
        case gray, yCbCr, rgb, cmyk, ycck
    }

    package struct Segment {
        package var marker: UInt8
        package var payload: [UInt8]

        package init(marker: UInt8, payload: [UInt8]) {
            self.marker = marker
            self.payload = payload
        }
    }

    package var size: PixelSize
    package var color: Color
    package var quality = 90
    /// Brightness samples for each colour sample.
    package var sampling: (horizontal: Int32, vertical: Int32) = (1, 1)
    package var isProgressive = false
    /// In MCUs; 0 for none.
    package var restartInterval = 0
    /// JFIF's: per inch; 0 for none.
    package var dotsPerInch: Int32 = 0
    package var segments: [Segment] = []

    package init(_ size: PixelSize, _ color: Color) {
        self.size = size
        self.color = color
    }

    /// The file with these bytes as its pixels: one a pixel for grey, C, M, Y, K for inks, else B, G, R, A.
    package func bytes(_ samples: [UInt8]) throws(WritingError) -> [UInt8] {
        let (layout, file) = codes
        let bytesPerRow = size.width * (color == .gray ? 1 : 4)
        guard samples.count == bytesPerRow * size.height else {
            throw WritingError(message: "\(samples.count) samples for \(size) pixels")
        }
        guard let encoder = texel_jpeg_encoder_create(nil, nil) else { throw WritingError(message: "no memory") }
        defer { texel_jpeg_encoder_destroy(encoder) }
        var parameters = texel_jpeg_parameters(
            width: Int32(size.width), height: Int32(size.height), layout: layout, color: file,
            quality: Int32(quality), horizontal_sampling: sampling.horizontal, vertical_sampling: sampling.vertical,
            progressive: isProgressive, optimize_huffman: true, restart_interval: Int32(restartInterval),
            density_unit: dotsPerInch > 0 ? 1 : 0, density_x: max(1, dotsPerInch), density_y: max(1, dotsPerInch),
            tables: nil, table_count: 0)
        try check(texel_jpeg_encoder_start(encoder, &parameters), encoder)
        for segment in segments {
            try check(
                texel_jpeg_encoder_write_marker(
                    encoder, Int32(segment.marker), segment.payload, segment.payload.count), encoder)
        }
        try check(texel_jpeg_encoder_write_rows(encoder, samples, bytesPerRow, Int32(size.height)), encoder)
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(texel_jpeg_encoder_finish(encoder, &bytes, &count), encoder)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private var codes: (texel_jpeg_layout, texel_jpeg_color) {
        switch color {
        case .gray: (TEXEL_JPEG_GRAY, TEXEL_JPEG_COLOR_GRAY)
        case .yCbCr: (TEXEL_JPEG_BGRA, TEXEL_JPEG_COLOR_YCBCR)
        case .rgb: (TEXEL_JPEG_BGRA, TEXEL_JPEG_COLOR_RGB)
        case .cmyk: (TEXEL_JPEG_CMYK, TEXEL_JPEG_COLOR_CMYK)
        case .ycck: (TEXEL_JPEG_CMYK, TEXEL_JPEG_COLOR_YCCK)
        }
    }

    private func check(_ status: texel_codec_status, _ encoder: OpaquePointer) throws(WritingError) {
        guard status != TEXEL_CODEC_OK else { return }
        let report = texel_jpeg_encoder_report(encoder).pointee
        throw WritingError(message: withUnsafeBytes(of: report.error) { String(decoding: $0, as: UTF8.self) })
    }
}
