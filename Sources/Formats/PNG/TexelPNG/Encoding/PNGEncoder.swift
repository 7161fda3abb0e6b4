import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes pixel buffers as PNG files.
struct PNGEncoder {
    private let options: PNGOptions
    private let metadata: WrittenMetadata
    private let stop: StopToken?
    private let parallelism: Int
    private let progress: EncodingProgress?

    /// PNG specification, third edition, 11.2.1.
    static let maximumSide = 0x7FFF_FFFF

    init(
        _ options: PNGOptions, metadata: WrittenMetadata, stop: StopToken?, parallelism: Int,
        progress: EncodingProgress? = nil
    ) {
        self.options = options
        self.metadata = metadata
        self.stop = stop
        self.parallelism = parallelism
        self.progress = progress
    }

    /// Encodes an image. Frees the pixels before the file is assembled if the caller holds no other reference.
    func encode(_ image: consuming PixelBuffer) throws(TexelError) -> [UInt8] {
        try check(image.size)
        guard options.palette != nil, options.keepsSmallerLossless else { return try file(image).bytes }
        let (bytes, isReduced) = try file(copy image)
        return isReduced ? try smallerLossless(image, than: bytes) ?? bytes : bytes
    }

    /// - Throws: `cannotEncode` if the format does not support the options or the size.
    func check(_ size: PixelSize) throws(TexelError) {
        if let level = options.level, !(0...9).contains(level) {
            throw .cannotEncode("invalid compression level \(level); PNG levels are 0 to 9")
        }
        if let palette = options.palette, !PaletteOptions.colorCounts.contains(palette.colors) {
            throw .cannotEncode("invalid palette of \(palette.colors) colours; a palette has 2 to 256")
        }
        guard max(size.width, size.height) <= Self.maximumSide else {
            throw .cannotEncode("a side of a PNG has at most \(Self.maximumSide) pixels; the image is \(size)")
        }
    }

    /// Returns the file with all colours if it is not larger than `other`. A fast encoding often shows that it would
    /// be.
    private func smallerLossless(_ image: PixelBuffer, than other: [UInt8]) throws(TexelError) -> [UInt8]? {
        func lossless(_ effort: Effort) throws(TexelError) -> [UInt8] {
            var options = options
            options.palette = nil
            options.effort = effort
            return try PNGEncoder(options, metadata: metadata, stop: stop, parallelism: parallelism)
                .file(image).bytes
        }
        var bytes = try lossless(.fast)
        // No effort compresses such an image to less than half of its size at `fast`.
        guard bytes.count < 2 * other.count else { return nil }
        if options.effort != .fast { bytes = try lossless(options.effort) }
        return bytes.count <= other.count ? bytes : nil
    }

    /// Returns the file, and whether its colours were reduced.
    private func file(_ image: consuming PixelBuffer) throws(TexelError) -> (bytes: [UInt8], isReduced: Bool) {
        let size = image.size
        let (result, colorSpace, isReduced) = try smallest(consume image)
        var file = try begun(size, result.reduction, colorSpace)
        file.append(pixels: (consume result).parts)
        file.append("IEND", [])
        return (file.bytes, isReduced)
    }

    /// Returns the smallest encoding of the pixels, their colour space, and whether their colours were reduced.
    private func smallest(
        _ image: consuming PixelBuffer
    ) throws(TexelError) -> (PNGSearch.Result, ColorSpace, isReduced: Bool) {
        try stop?.check()
        let (prepared, reductions, isReduced) = try prepare(image)
        // Quantisation may have been stopped.
        try stop?.check()
        let colorSpace = prepared.colorSpace
        let search = PNGSearch(
            pixels: .buffer(prepared), reductions: reductions, options: options, stop: stop,
            parallelism: parallelism,
            progress: progress)
        return (try search.smallest(), colorSpace, isReduced)
    }

    /// Returns straight pixels, with reduced colours if a palette is requested, and the ways to store them. A profile
    /// that fits none of these ways is applied instead.
    private func prepare(
        _ image: consuming PixelBuffer
    ) throws(TexelError) -> (PixelBuffer, [PNGPixelFormat], isReduced: Bool) {
        var straight = image.alphaMode == .premultiplied ? try image.unpremultiplied() : image
        if case .iccProfile(let profile) = straight.colorSpace, profile.colorModel == .gray, !straight.isGray {
            straight = try straight.convertedToSRGB()
        }
        var (allowsGray, allowsColor) = (true, true)
        if case .iccProfile(let profile) = straight.colorSpace {
            allowsGray = profile.colorModel == .gray
            allowsColor = profile.colorModel != .gray
        }
        var isReduced = false
        if let palette = options.palette {
            if let reduced = try straight.quantized(palette, while: { stop?.reason == nil }) {
                isReduced = reduced != straight
                straight = reduced
            }
        }
        guard options.reducesLosslessly || options.palette != nil || !allowsColor else {
            return (straight, [PNGPixelFormat(unreduced: straight.alphaMode)], isReduced)
        }
        let all = PNGPixelFormat.all(of: straight, allowsGray: allowsGray, allowsColor: allowsColor)
        return (straight, all, isReduced)
    }

    // MARK: Chunks before the pixels

    /// Returns a file with all chunks before the pixels.
    func begun(
        _ size: PixelSize, _ format: PNGPixelFormat, _ colorSpace: ColorSpace
    ) throws(TexelError) -> PNGChunkWriter {
        var file = PNGChunkWriter()
        file.append("IHDR", header(size, format))
        try append(colorSpace, to: &file)
        append(format, to: &file)
        for (name, data) in PNGFile.chunks(of: metadata) { file.append(name, data) }
        return file
    }

    private func header(_ size: PixelSize, _ reduction: PNGPixelFormat) -> [UInt8] {
        PNGChunkWriter.bigEndian(UInt32(size.width)) + PNGChunkWriter.bigEndian(UInt32(size.height))
            + [UInt8(reduction.bitDepth), UInt8(reduction.colorType.rawValue), 0, 0, 0]
    }

    private func append(_ colorSpace: ColorSpace, to file: inout PNGChunkWriter) throws(TexelError) {
        switch colorSpace {
        case .sRGB: return
        case .iccProfile(let profile):
            // Profile name and compression method.
            let profile = try Zlib.compressed(profile.bytes, effort: .best)
            file.append("iCCP", Array("ICC profile".utf8) + [0, 0] + profile)
        case .codePoints(let points):
            // The third number, the matrix coefficients, is 0 for RGB (PNG specification, third edition, 11.3.2.6).
            file.append("cICP", [UInt8(points.primaries), UInt8(points.transfer), 0, points.isFullRange ? 1 : 0])
        case .calibrated(let calibration):
            if let gamma = calibration.gamma { file.append("gAMA", PNGChunkWriter.bigEndian(gamma)) }
            if let primaries = calibration.chromaticities {
                let values = primaries.coordinates.map { UInt32(bitPattern: $0) }
                file.append("cHRM", values.flatMap(PNGChunkWriter.bigEndian))
            }
        }
    }

    private func append(_ reduction: PNGPixelFormat, to file: inout PNGChunkWriter) {
        if reduction.colorType == .palette {
            file.append("PLTE", reduction.palette.flatMap { PNGChunkWriter.bigEndian($0).dropFirst() })
        }
        let transparency = reduction.transparencyChunk
        if !transparency.isEmpty { file.append("tRNS", transparency) }
    }
}
