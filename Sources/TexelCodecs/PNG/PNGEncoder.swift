import TexelPixels

/// Encodes pixel buffers as PNG files.
struct PNGEncoder {
    private let options: PNGOptions
    private let metadata: WrittenMetadata
    private let stopCheck: StopCheck?
    private let parallelism: Int
    private let progress: EncodingProgress?

    init(
        _ options: PNGOptions, metadata: WrittenMetadata, stopCheck: StopCheck?, parallelism: Int,
        progress: EncodingProgress? = nil
    ) {
        self.options = options
        self.metadata = metadata
        self.stopCheck = stopCheck
        self.parallelism = parallelism
        self.progress = progress
    }

    /// Lets go of the pixels before the file is put together, where nobody else has them.
    func encode(_ picture: consuming PixelBuffer) throws(CodecError) -> [UInt8] {
        if let level = options.level, !(0...9).contains(level) {
            throw .cannotEncode("PNG has no compression level \(level); it goes from 0 to 9")
        }
        if let palette = options.palette, !PaletteOptions.colorCounts.contains(palette.colors) {
            throw .cannotEncode("PNG has no palette of \(palette.colors) colours; it has 2 to 256")
        }
        let limit = 0x7FFF_FFFF
        guard picture.width <= limit, picture.height <= limit else {
            throw .cannotEncode("\(picture.size) pixels are too many for a PNG")
        }
        let size = picture.size
        let (result, colorSpace) = try smallest(consume picture)
        var file = PNGChunkWriter()
        file.append("IHDR", header(size, result.reduction))
        try append(colorSpace, to: &file)
        append(result.reduction, to: &file)
        for (name, data) in PNGFile.chunks(of: metadata) { file.append(name, data) }
        file.append(pixels: (consume result).parts)
        file.append("IEND", [])
        return file.bytes
    }

    /// The smallest way to store the pixels, and the colours that they have then.
    private func smallest(_ picture: consuming PixelBuffer) throws(CodecError) -> (PNGSearch.Result, ColorSpace) {
        try stopCheck?.check()
        let (prepared, reductions) = try prepare(picture)
        // Choosing colours may have been stopped.
        try stopCheck?.check()
        let colorSpace = prepared.colorSpace
        let search = PNGSearch(
            pixels: .buffer(prepared), reductions: reductions, options: options, stopCheck: stopCheck,
            parallelism: parallelism,
            progress: progress)
        return (try search.smallest(), colorSpace)
    }

    /// Straight pixels, with a palette where one is wanted, and the ways to store them. A profile that fits no way to store
    /// them is applied instead.
    private func prepare(_ picture: consuming PixelBuffer) throws(CodecError) -> (PixelBuffer, [PNGReduction]) {
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
            if let palette = options.palette {
                straight = try straight.quantized(palette, while: { stopCheck?.reason == nil }) ?? straight
            }
            guard options.reducesLosslessly || options.palette != nil || !allowsColor else {
                return (straight, [PNGReduction(unreduced: straight.alphaMode)])
            }
            return (straight, PNGReduction.all(straight, allowsGray: allowsGray, allowsColor: allowsColor))
        } catch {
            throw .pixels(error)
        }
    }

    // MARK: Chunks before the pixels

    private func header(_ size: PixelSize, _ reduction: PNGReduction) -> [UInt8] {
        PNGChunkWriter.bigEndian(UInt32(size.width)) + PNGChunkWriter.bigEndian(UInt32(size.height))
            + [UInt8(reduction.bitDepth), UInt8(reduction.colorType.rawValue), 0, 0, 0]
    }

    private func append(_ colorSpace: ColorSpace, to file: inout PNGChunkWriter) throws(CodecError) {
        switch colorSpace {
        case .sRGB: return
        case .iccProfile(let profile):
            // Name, compression method.
            let profile = try Zlib.compressed(profile.bytes, effort: .best)
            file.append("iCCP", Array("ICC profile".utf8) + [0, 0] + profile)
        case .calibrated(let calibration):
            if let gamma = calibration.gamma { file.append("gAMA", PNGChunkWriter.bigEndian(gamma)) }
            if let primaries = calibration.chromaticities {
                let values = primaries.coordinates.map { UInt32(bitPattern: $0) }
                file.append("cHRM", values.flatMap(PNGChunkWriter.bigEndian))
            }
        }
    }

    private func append(_ reduction: PNGReduction, to file: inout PNGChunkWriter) {
        if reduction.colorType == .palette {
            file.append("PLTE", reduction.palette.flatMap { PNGChunkWriter.bigEndian($0).dropFirst() })
        }
        let transparency = reduction.transparencyChunk
        if !transparency.isEmpty { file.append("tRNS", transparency) }
    }
}
