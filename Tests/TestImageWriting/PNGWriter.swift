import CPNGShim
import CTestImageWriting
package import TexelPixels

/// A library's message when it could not write a test image.
package struct WritingError: Error {
    package let message: String
}

/// Writes PNG files of every kind that the format has, unlike the encoder under test, which chooses for itself.
package struct PNGWriter {
    package enum ColorType: Int32, CaseIterable, Sendable {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        package var channels: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    package struct Text {
        package var keyword: String
        package var text: String
        /// iTXt instead of tEXt.
        package var isUTF8: Bool

        package init(keyword: String, text: String, isUTF8: Bool) {
            self.keyword = keyword
            self.text = text
            self.isUTF8 = isUTF8
        }
    }

    package var size: PixelSize
    package var colorType: ColorType
    package var bitDepth: Int
    package var isInterlaced = false
    /// Straight pixels 0xAARRGGBB.
    package var palette: [UInt32] = []
    /// The one transparent grey or colour, in the file's own depth.
    package var transparentColor: [UInt16] = []
    package var gamma: UInt32?
    package var chromaticities: Calibration.Chromaticities?
    package var profile: ICCProfile?
    package var exif: [UInt8]?
    package var pixelsPerMetre: UInt32?
    package var texts: [Text] = []

    package init(_ size: PixelSize, _ colorType: ColorType, bitDepth: Int) {
        self.size = size
        self.colorType = colorType
        self.bitDepth = bitDepth
    }

    /// The file whose samples (channels of a pixel side by side, row after row) are `samples`.
    package func bytes(_ samples: [UInt16]) throws(WritingError) -> [UInt8] {
        guard samples.count == size.width * size.height * colorType.channels else {
            throw WritingError(message: "\(samples.count) samples for \(size) pixels")
        }
        guard let encoder = texel_png_encoder_create(nil, nil) else { throw WritingError(message: "no memory") }
        defer { texel_png_encoder_destroy(encoder) }
        try start(encoder)
        try writeChunks(to: encoder)
        let packed = packed(samples)
        try check(
            texel_png_encoder_write_rows(encoder, packed, packed.count / size.height, Int32(size.height)), encoder)
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(texel_png_encoder_finish(encoder, &bytes, &count), encoder)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func start(_ encoder: OpaquePointer) throws(WritingError) {
        let entries = palette.flatMap { pixel in [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) } }
        let transparency = transparentColor.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let allFilters: Int32 = 0xF8
        let status = entries.withUnsafeBufferPointer { entries in
            transparency.withUnsafeBufferPointer { transparency in
                var parameters = texel_png_parameters(
                    width: UInt32(size.width), height: UInt32(size.height), bit_depth: Int32(bitDepth),
                    color_type: colorType.rawValue, is_interlaced: isInterlaced,
                    compression_level: 9, filters: bitDepth < 8 || colorType == .palette ? 0x08 : allFilters,
                    palette: entries.isEmpty ? nil : entries.baseAddress, palette_count: Int32(palette.count),
                    transparency: transparency.isEmpty ? nil : transparency.baseAddress)
                return texel_png_encoder_start(encoder, &parameters)
            }
        }
        try check(status, encoder)
    }

    private func writeChunks(to encoder: OpaquePointer) throws(WritingError) {
        if let gamma { try check(texel_png_encoder_set_gamma(encoder, gamma), encoder) }
        if let chromaticities {
            try check(texel_png_encoder_set_chromaticities(encoder, chromaticities.coordinates), encoder)
        }
        if let profile {
            try check(texel_png_encoder_set_profile(encoder, profile.bytes, profile.bytes.count), encoder)
        }
        if let exif { try check(texel_png_encoder_set_exif(encoder, exif, exif.count), encoder) }
        if let pixelsPerMetre {
            try check(texel_png_encoder_set_density(encoder, pixelsPerMetre, pixelsPerMetre, true), encoder)
        }
        for text in texts {
            let bytes = text.isUTF8 ? Array(text.text.utf8) : text.text.unicodeScalars.map { UInt8($0.value) }
            try check(
                texel_png_encoder_add_text(encoder, text.keyword, bytes + [0], bytes.count, text.isUTF8), encoder)
        }
    }

    /// Each row's samples in `bitDepth` bits, most significant first, rows beginning on whole bytes.
    private func packed(_ samples: [UInt16]) -> [UInt8] {
        let samplesPerRow = size.width * colorType.channels
        let bytesPerRow = (samplesPerRow * bitDepth + 7) / 8
        var packed = [UInt8](repeating: 0, count: bytesPerRow * size.height)
        for y in 0..<size.height {
            for x in 0..<samplesPerRow {
                let sample = samples[y * samplesPerRow + x]
                switch bitDepth {
                case 16:
                    packed[y * bytesPerRow + 2 * x] = UInt8(sample >> 8)
                    packed[y * bytesPerRow + 2 * x + 1] = UInt8(sample & 255)
                case 8: packed[y * bytesPerRow + x] = UInt8(truncatingIfNeeded: sample)
                default:
                    let bit = x * bitDepth
                    packed[y * bytesPerRow + bit / 8] |= UInt8(sample) << UInt8(8 - bitDepth - bit % 8)
                }
            }
        }
        return packed
    }

    private func check(_ status: texel_codec_status, _ encoder: OpaquePointer) throws(WritingError) {
        guard status != TEXEL_CODEC_OK else { return }
        let report = texel_png_encoder_report(encoder).pointee
        throw WritingError(message: withUnsafeBytes(of: report.error) { String(decoding: $0, as: UTF8.self) })
    }
}
