import CCodecShims
import TexelPixels

/// Encodes pixel buffers as PNG files through libpng.
struct PNGEncoder {
    private let options: PNGOptions
    private let metadata: WrittenMetadata
    private let stopCheck: StopCheck?

    init(_ options: PNGOptions, metadata: WrittenMetadata, stopCheck: StopCheck?) {
        self.options = options
        self.metadata = metadata
        self.stopCheck = stopCheck
    }

    func encode(_ picture: PixelBuffer) throws(CodecError) -> [UInt8] {
        if let level = options.level, !(0...9).contains(level) {
            throw .cannotEncode("PNG has no compression level \(level); it goes from 0 to 9")
        }
        let (prepared, reduction) = try prepare(picture)
        let rows = PackedRows(prepared, reduction)
        var best: [UInt8]?
        for filter in filters(for: reduction) {
            let bytes = try encode(prepared, rows, reduction, filter: filter)
            if bytes.count < best?.count ?? .max { best = bytes }
        }
        return best ?? []
    }

    /// Straight pixels, and how to store them. A profile that fits no way to store them is applied instead.
    private func prepare(_ picture: PixelBuffer) throws(CodecError) -> (PixelBuffer, PNGReduction) {
        do {
            var straight = picture.alphaMode == .premultiplied ? try picture.unpremultiplied() : picture
            if case .iccProfile(let profile) = straight.colorSpace, profile.colorModel == .gray, !straight.isGray {
                straight = try straight.convertedToSRGB()
            }
            var (allowsGray, allowsColor) = (true, true)
            if case .iccProfile(let profile) = straight.colorSpace {
                allowsGray = profile.colorModel == .gray
                allowsColor = profile.colorModel != .gray
            }
            guard options.reducesLosslessly || !allowsColor else {
                return (straight, PNGReduction(unreduced: straight.alphaMode))
            }
            return (straight, PNGReduction(straight, allowsGray: allowsGray, allowsColor: allowsColor))
        } catch {
            throw .pixels(error)
        }
    }

    private func filters(for reduction: PNGReduction) -> [PNGOptions.Filter] {
        if let filter = options.filter { return [filter] }
        // Neighbouring indices and packed bits do not predict each other.
        let isPredictable = reduction.bitDepth == 8 && reduction.colorType != .palette
        switch options.effort {
        case .fast: return [isPredictable ? .sub : .none]
        case .balanced: return [isPredictable ? .adaptive : .none]
        case .best: return PNGOptions.Filter.allCases
        }
    }

    private var level: Int32 {
        Int32(options.level ?? [.fast: 1, .balanced: 6, .best: 9][options.effort] ?? 6)
    }

    private func encode(
        _ picture: PixelBuffer, _ rows: PackedRows, _ reduction: PNGReduction, filter: PNGOptions.Filter
    ) throws(CodecError) -> [UInt8] {
        guard let encoder = texel_png_encoder_create(StopCheck.callback, stopCheck.context) else { throw .outOfMemory }
        defer { texel_png_encoder_destroy(encoder) }
        let palette = reduction.palette.flatMap { pixel in
            [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) }
        }
        try palette.withUnsafeBufferPointer { palette throws(CodecError) in
            var parameters = texel_png_parameters(
                width: UInt32(picture.width), height: UInt32(picture.height),
                bit_depth: Int32(reduction.bitDepth), color_type: reduction.colorType.rawValue,
                is_interlaced: false, rows_are_bgra: rows.arePixels, compression_level: level,
                filters: filter.bits, palette: palette.isEmpty ? nil : palette.baseAddress,
                palette_count: Int32(reduction.palette.count), transparency: nil)
            try check(texel_png_encoder_start(encoder, &parameters), encoder)
        }
        try writeColorSpace(picture.colorSpace, to: encoder)
        try writeMetadata(to: encoder)
        try rows.forEachBand { rows, bytesPerRow, count throws(CodecError) in
            try check(texel_png_encoder_write_rows(encoder, rows, bytesPerRow, Int32(count)), encoder)
        }
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(texel_png_encoder_finish(encoder, &bytes, &count), encoder)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func writeColorSpace(_ colorSpace: ColorSpace, to encoder: OpaquePointer) throws(CodecError) {
        switch colorSpace {
        case .sRGB: return
        case .iccProfile(let profile):
            try check(texel_png_encoder_set_profile(encoder, profile.bytes, profile.bytes.count), encoder)
        case .calibrated(let calibration):
            if let gamma = calibration.gamma { try check(texel_png_encoder_set_gamma(encoder, gamma), encoder) }
            if let primaries = calibration.chromaticities {
                try check(texel_png_encoder_set_chromaticities(encoder, primaries.coordinates), encoder)
            }
        }
    }

    private func writeMetadata(to encoder: OpaquePointer) throws(CodecError) {
        if let exif = metadata.exif { try check(texel_png_encoder_set_exif(encoder, exif, exif.count), encoder) }
        if let density = metadata.density?.pHYs {
            try check(texel_png_encoder_set_density(encoder, density.x, density.y, density.unit == 1), encoder)
        }
        if let xmp = metadata.xmp {
            try check(
                texel_png_encoder_add_text(encoder, PNGDecoder.xmpKeyword, xmp + [0], xmp.count, true), encoder)
        }
        for comment in metadata.comments {
            let keyword = (comment.pngKeyword + [0]).map { CChar(bitPattern: $0) }
            let text = comment.latin1Bytes ?? Array(comment.text.utf8)
            let isUTF8 = comment.latin1Bytes == nil
            try check(texel_png_encoder_add_text(encoder, keyword, text + [0], text.count, isUTF8), encoder)
        }
    }

    /// The one place where libpng's answers become errors.
    private func check(_ status: texel_codec_status, _ encoder: OpaquePointer) throws(CodecError) {
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw .stopped(stopCheck?.reason ?? .cancelled)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .cannotEncode(texel_png_encoder_report(encoder).pointee.errorMessage)
        }
    }
}

extension PNGOptions.Filter {
    /// libpng's PNG_FILTER_… bits.
    fileprivate var bits: Int32 {
        switch self {
        case .none: 0x08
        case .sub: 0x10
        case .up: 0x20
        case .average: 0x40
        case .paeth: 0x80
        case .adaptive: 0xF8
        }
    }
}

/// The rows of a picture in the form that a reduction stores.
private struct PackedRows {
    private let picture: PixelBuffer
    /// Empty where libpng takes the pixels as they are.
    private let packed: [UInt8]
    private let packedBytesPerRow: Int

    /// Whether the rows are BGRA pixels.
    var arePixels: Bool { packed.isEmpty }

    init(_ picture: PixelBuffer, _ reduction: PNGReduction) {
        self.picture = picture
        packedBytesPerRow = (picture.width * reduction.bitsPerPixel + 7) / 8
        switch reduction.colorType {
        case .rgb, .rgba: packed = []
        case .gray:
            // A grey of fewer bits is repeated to fill eight; its highest bits are it.
            let drop = UInt32(8 - reduction.bitDepth)
            packed = Self.pack(picture, bitDepth: reduction.bitDepth, bytesPerRow: packedBytesPerRow) {
                UInt8(truncatingIfNeeded: ($0 & 255) >> drop)
            }
        case .grayAlpha:
            packed = picture.bytes(in: .bgra).withUnsafeBufferPointer { bytes in
                (0..<(bytes.count / 2)).map { bytes[$0 % 2 == 0 ? 2 * $0 : 2 * $0 + 1] }
            }
        case .palette:
            let indices = ColorTable(reduction.palette)
            packed = Self.pack(picture, bitDepth: reduction.bitDepth, bytesPerRow: packedBytesPerRow) {
                UInt8(indices.index(of: $0) ?? 0)
            }
        }
    }

    /// Each row's values of `bitDepth` bits, the leftmost in the highest bits, rows beginning on whole bytes.
    private static func pack(
        _ picture: PixelBuffer, bitDepth: Int, bytesPerRow: Int, _ value: (UInt32) -> UInt8
    ) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: bytesPerRow * picture.height)
        picture.withUnsafePixels { pixels in
            for y in 0..<picture.height {
                var previous = (pixel: pixels[y * picture.pixelsPerRow], value: value(pixels[y * picture.pixelsPerRow]))
                for x in 0..<picture.width {
                    let pixel = pixels[y * picture.pixelsPerRow + x]
                    if pixel != previous.pixel { previous = (pixel, value(pixel)) }
                    let bit = x * bitDepth
                    packed[y * bytesPerRow + bit / 8] |= previous.value << UInt8(8 - bitDepth - bit % 8)
                }
            }
        }
        return packed
    }

    func forEachBand(
        _ body: (_ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ count: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        if packed.isEmpty {
            try picture.withUnsafeBytes { bytes throws(CodecError) in
                guard let base = bytes.baseAddress else { return }
                try body(base.assumingMemoryBound(to: UInt8.self), picture.bytesPerRow, picture.height)
            }
        } else {
            try packed.withUnsafeBufferPointer { bytes throws(CodecError) in
                guard let base = bytes.baseAddress else { return }
                try body(base, packedBytesPerRow, picture.height)
            }
        }
    }
}
