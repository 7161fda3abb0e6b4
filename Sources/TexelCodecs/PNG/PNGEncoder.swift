import TexelPixels

/// Encodes pixel buffers as PNG files.
struct PNGEncoder {
    private let options: PNGOptions
    private let metadata: WrittenMetadata
    private let stopCheck: StopCheck?
    private let parallelism: Int

    init(_ options: PNGOptions, metadata: WrittenMetadata, stopCheck: StopCheck?, parallelism: Int) {
        self.options = options
        self.metadata = metadata
        self.stopCheck = stopCheck
        self.parallelism = parallelism
    }

    func encode(_ picture: PixelBuffer) throws(CodecError) -> [UInt8] {
        if let level = options.level, !(0...9).contains(level) {
            throw .cannotEncode("PNG has no compression level \(level); it goes from 0 to 9")
        }
        let limit = 0x7FFF_FFFF
        guard picture.width <= limit, picture.height <= limit else {
            throw .cannotEncode("\(picture.size) pixels are too many for a PNG")
        }
        let (prepared, reduction) = try prepare(picture)
        var file = PNGChunkWriter()
        file.append("IHDR", header(prepared, reduction))
        try append(prepared.colorSpace, to: &file)
        append(reduction, to: &file)
        for (name, data) in PNGFile.chunks(of: metadata) { file.append(name, data) }
        try append(pixels: PNGRows(prepared, reduction), reduction, to: &file)
        file.append("IEND", [])
        return file.bytes
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

    // MARK: Chunks before the pixels

    private func header(_ picture: PixelBuffer, _ reduction: PNGReduction) -> [UInt8] {
        PNGChunkWriter.bigEndian(UInt32(picture.width)) + PNGChunkWriter.bigEndian(UInt32(picture.height))
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
        guard reduction.colorType == .palette else { return }
        let colors = reduction.palette.flatMap { [$0 >> 16, $0 >> 8, $0].map { UInt8(truncatingIfNeeded: $0) } }
        file.append("PLTE", colors)
        // Those that are not opaque come first.
        let alphas = reduction.palette.map { UInt8($0 >> 24) }.prefix { $0 != 255 }
        if !alphas.isEmpty { file.append("tRNS", Array(alphas)) }
    }

    // MARK: Pixels

    private func append(pixels rows: PNGRows, _ reduction: PNGReduction, to file: inout PNGChunkWriter)
        throws(CodecError)
    {
        func stream(_ filter: PNGOptions.Filter, level: Int) -> PixelStream {
            PixelStream(
                rows: rows, filter: filter, level: level, effort: options.effort, stopCheck: stopCheck,
                parallelism: parallelism)
        }
        var candidates = filters(for: reduction)
        let finalists = options.effort == .best ? 2 : 1
        if candidates.count > finalists {
            // A quick look, at strips or at all of it, tells which filters are worth the slow one.
            var looks: [(size: Int, order: Int)] = []
            for (order, filter) in candidates.enumerated() {
                let size =
                    options.effort == .best
                    ? size(try stream(filter, level: 5).parts()) : try stream(filter, level: 3).sampledSize()
                looks.append((size, order))
            }
            let ranked = looks.sorted { ($0.size, $0.order) < ($1.size, $1.order) }
            candidates = ranked.prefix(finalists).map { candidates[$0.order] }
        }
        var best: [[UInt8]]?
        for filter in candidates {
            let parts = try stream(filter, level: level).parts()
            if size(parts) < best.map(size) ?? .max { best = parts }
        }
        file.append(pixels: best ?? [])
    }

    private func size(_ parts: [[UInt8]]) -> Int { parts.reduce(0) { $0 + $1.count } }

    /// What is tried; of equals the first is taken.
    private func filters(for reduction: PNGReduction) -> [PNGOptions.Filter] {
        if let filter = options.filter { return [filter] }
        // Neighbouring indices and packed bits do not predict each other.
        let isPredictable = reduction.bitDepth == 8 && reduction.colorType != .palette
        switch options.effort {
        case .fast, .balanced: return isPredictable ? [.adaptive, .none] : [.none]
        case .best: return PNGOptions.Filter.allCases
        }
    }

    /// libdeflate's.
    private var level: Int {
        if let level = options.level { return level }
        return switch options.effort {
        case .fast: 1
        case .balanced: 6
        case .best: Deflate.levels.upperBound
        }
    }
}
