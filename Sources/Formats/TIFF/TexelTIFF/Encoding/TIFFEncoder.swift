import CPixelKernels
import CTIFFShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes images: libtiff compresses strips of 8-bit samples, Texel writes the directories.
struct TIFFEncoder {
    private let options: TIFFOptions
    private let context: EncodingContext

    /// The bytes of samples in a strip, if a few rows do not have more.
    static let stripSize = 1 << 18

    init(_ options: TIFFOptions, _ context: EncodingContext) {
        (self.options, self.context) = (options, context)
    }

    func encode(_ image: consuming PixelBuffer) throws(TexelError) -> [UInt8] {
        try context.stop?.check()
        if case .jpeg(let quality) = options.compression, !(1...100).contains(quality) {
            throw .cannotEncode("invalid quality \(quality); a TIFF with JPEG has 1 to 100")
        }
        let pixels = try prepared(image)
        let profile = try Self.profile(of: pixels.colorSpace)
        let samples = samples(of: pixels)
        try LoadedLibrary.tiff.require()
        var smallest: [UInt8]?
        // Differences of neighbours are smaller for photographs, but not for drawings.
        let predictors = options.effort == .best && !isJPEG(samples) ? [true, false] : [true]
        let strips = TIFFStripWriter(pixels, samples: samples, context)
        context.progress?.begin(partCount: strips.count(rows: rows(pixels.size, samples)) * predictors.count)
        for hasPredictor in predictors {
            let config = config(pixels.size, samples, hasPredictor: hasPredictor)
            let file = try strips.file(config, profile: profile)
            if file.count < smallest?.count ?? .max { smallest = file }
        }
        guard let smallest else { throw .cannotEncode("libtiff has written no image") }
        return smallest
    }

    /// The samples of a pixel: 1 for greys, 3 for colours, 4 with alpha. A profile of greys requires one sample, which
    /// ``prepared(_:)`` ensures, and one of RGB requires more.
    private func samples(of pixels: PixelBuffer) -> Int {
        if Self.hasGrayProfile(pixels.colorSpace) { return 1 }
        guard pixels.alphaMode == .opaque || options.reducesLosslessly && pixels.isOpaque else { return 4 }
        return options.reducesLosslessly && pixels.colorSpace.isSRGB && pixels.isGray ? 1 : 3
    }

    /// Returns straight pixels with colours that a profile describes. A profile of greys is kept only with opaque
    /// greys; it is applied to other pixels.
    private func prepared(_ image: consuming PixelBuffer) throws(TexelError) -> PixelBuffer {
        let straight = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
        guard case .iccProfile(let profile) = straight.colorSpace else { return straight }
        let isUsable =
            profile.colorModel == .rgb || profile.colorModel == .gray && straight.isOpaque && straight.isGray
        return isUsable ? straight : try straight.convertedToSRGB()
    }

    private static func hasGrayProfile(_ space: ColorSpace) -> Bool {
        if case .iccProfile(let profile) = space { profile.colorModel == .gray } else { false }
    }

    /// Returns the profile to embed; `nil` for sRGB.
    private static func profile(of colorSpace: ColorSpace) throws(TexelError) -> [UInt8]? {
        return try colorSpace.embeddableProfile()?.bytes
    }

    /// The rows of a strip: whole MCUs of JPEG.
    private func rows(_ size: PixelSize, _ samples: Int) -> Int {
        let rows = max(1, Self.stripSize / max(1, size.width * samples))
        return min(size.height, isJPEG(samples) ? max(16, rows / 16 * 16) : rows)
    }

    private func isJPEG(_ samples: Int) -> Bool { options.isLossy && samples < 4 }

    private func config(_ size: PixelSize, _ samples: Int, hasPredictor: Bool) -> texel_tiff_config {
        var config = texel_tiff_config()
        // The sides of an image in memory have at most 31 bits.
        (config.width, config.height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
        config.rows_per_strip = UInt32(clamping: rows(size, samples))
        config.samples = UInt16(samples)
        config.is_jpeg = isJPEG(samples)
        config.has_predictor = hasPredictor
        config.level = options.effort == .fast ? 2 : options.effort == .balanced ? 6 : 9
        if case .jpeg(let quality) = options.compression { config.quality = Int32(quality) }
        let factors = options.chromaFactors
        (config.horizontal, config.vertical) = (UInt16(factors.horizontal), UInt16(factors.vertical))
        return config
    }
}

/// Packs rows of pixels to samples, and makes files of them.
private struct TIFFStripWriter {
    private let image: PixelBuffer
    private let samples: Int
    private let context: EncodingContext

    init(_ image: PixelBuffer, samples: Int, _ context: EncodingContext) {
        (self.image, self.samples, self.context) = (image, samples, context)
    }

    func count(rows: Int) -> Int { (image.height + rows - 1) / rows }

    /// - Throws: `cannotEncode`, `outOfMemory`, `stopped`.
    func file(_ config: texel_tiff_config, profile: [UInt8]?) throws(TexelError) -> [UInt8] {
        var (config, report) = (config, texel_codec_report())
        guard let encoder = texel_tiff_encoder_create(&config, &report) else {
            throw Self.error(report.errorMessage.isEmpty ? TEXEL_CODEC_OUT_OF_MEMORY : TEXEL_CODEC_FAILED, report)
        }
        defer { texel_tiff_encoder_destroy(encoder) }
        let rows = Int(config.rows_per_strip)
        // The image has four bytes a pixel in memory, so its samples do not overflow.
        let strip = try TIFFMemory(rows * image.width * samples)
        for index in 0..<count(rows: rows) {
            try context.stop?.check()
            let range = (index * rows)..<min(image.height, (index + 1) * rows)
            pack(range, into: strip.base)
            let status = texel_tiff_encoder_write_strip(
                encoder, UInt32(index), strip.base, range.count * image.width * samples, &report)
            guard status == TEXEL_CODEC_OK else { throw Self.error(status, report) }
            context.progress?.advance()
        }
        var (bytes, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
        let status = texel_tiff_encoder_finish(encoder, &bytes, &count, &report)
        guard status == TEXEL_CODEC_OK, let bytes else { throw Self.error(status, report) }
        // The encoder's memory stays as it is until it is destroyed.
        let input = InputBytes(of: Unowned(), at: UnsafeRawPointer(bytes), count: count)
        return try finished(input, profile)
    }

    /// The encoder owns the memory.
    private final class Unowned: Sendable {}

    /// Adds metadata to libtiff's file, and moves its directory to the front.
    private func finished(_ bytes: InputBytes, _ profile: [UInt8]?) throws(TexelError) -> [UInt8] {
        var limits = Limits()
        (limits.pixels, limits.side, limits.codecBytes) = (.max, .max, .max)
        let pages = try TIFFPages(bytes, limits: limits, stop: nil)
        var rewriter = TIFFRewriter(pages.input, metadata: context.metadata, keeping: [], context.stop)
        rewriter.profile = profile
        return try rewriter.file(of: [pages.first])
    }

    /// Packs rows without padding; `target` has room for them.
    private func pack(_ rows: Range<Int>, into target: UnsafeMutablePointer<UInt8>) {
        let kernels = texel_kernels_in_use().pointee
        image.withUnsafeBytes { bytes in
            guard let pixels = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            for (line, y) in rows.enumerated() {
                // Row y of the image has `width` pixels from here on.
                let source = pixels + y * image.bytesPerRow
                let row = target + line * image.width * samples
                switch samples {
                case 1: for x in 0..<image.width { row[x] = source[4 * x] }
                case 3: kernels.pack_rgb_row(row, source, image.width)
                default: kernels.pack_rgba_row(row, source, image.width)
                }
            }
        }
    }

    private static func error(_ status: texel_codec_status, _ report: texel_codec_report) -> TexelError {
        status == TEXEL_CODEC_OUT_OF_MEMORY ? .outOfMemory : .cannotEncode(report.errorMessage)
    }
}
