import TexelCodecs
import TexelCore
import TexelPixels

/// An opened PNG.
struct PNGImageFile {
    let file: PNGFile
    let header: PNGFile.Header
    let info: ImageInfo
    /// Whether all chunks had arrived when the file was opened: metadata may follow the pixels.
    let holdsWholeHeader: Bool
    private let limits: Limits

    /// Reads the header; waits until everything before the pixels has arrived. If the whole file is there, metadata
    /// after the pixels are read too.
    ///
    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        self.limits = limits
        file = PNGFile(bytes: bytes)
        header = try file.header(stop)
        var options = DecodeOptions()
        options.policy.limits = limits
        options.stop = stop
        let decoder = try PNGDecoder(file, header: header, options: options)
        var hasAlpha = decoder.alphaMode != .opaque
        if decoder.isAnimation, !hasAlpha { hasAlpha = try file.showsCanvas(limits: limits, stop: stop) }
        info = ImageInfo(header, decoder, try decoder.takeMetadata(), hasAlpha: hasAlpha)
        holdsWholeHeader = decoder.hasReadAllChunks
    }
}

extension PNGImageFile: ImageFile {
    var bytes: InputBytes { file.bytes }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try PNGDecoder(file, header: header, options: options)
    }
}

extension PNGImageFile: StreamedImageFile {
    func rewrite(
        metadata: WrittenMetadata, keeping: KeptParts, to sink: OutputSink, stop: StopToken?
    ) throws(TexelError) {
        try file.rewrite(
            try validChunks(stop), metadata: metadata, keeping: KeptPNGColors(keeping, of: info), to: sink)
    }

    /// Returns the chunks that may be copied.
    ///
    /// - Throws: `stopped`, while waiting for the whole file.
    private func validChunks(_ stop: StopToken?) throws(TexelError) -> PNGValidChunks {
        _ = try bytes.wait(for: .max, stop)
        return PNGValidChunks(file, header, info.colorSpace, limits: limits)
    }
}

extension PNGImageFile: AnimatedImageFile {
    func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)? {
        try PNGAnimation(file.bytes, limits: limits)
    }
}

extension PNGImageFile: RecompressibleImageFile {
    func recompressed(
        settings: EncodingSettings, metadata: WrittenMetadata, keeping: KeptParts, options: DecodeOptions,
        parallelism: Int, progress: EncodingProgress?
    ) throws(TexelError) -> Recompressed {
        var encoding = PNGOptions(reducesLosslessly: false, effort: settings.effort)
        encoding.compresses = settings.compresses
        return try PNGRecompression(
            file: file, header: header, valid: try validChunks(options.stop), encoding: encoding, options: options,
            parallelism: parallelism,
            progress: progress
        ).file(metadata: metadata, keeping: KeptPNGColors(keeping, of: info))
    }
}

extension ImageInfo {
    fileprivate init(_ header: PNGFile.Header, _ decoder: PNGDecoder, _ metadata: ImageMetadata, hasAlpha: Bool) {
        let colorModel: ColorModel =
            switch header.colorType {
            case 0: .gray
            case 2: .rgb
            case 3: .palette
            case 4: .grayAlpha
            default: .rgba
            }
        self.init(
            format: .png, size: PixelSize(width: header.width, height: header.height),
            orientation: metadata.orientation, colorModel: colorModel, bitDepth: header.bitDepth,
            hasAlpha: hasAlpha, isProgressive: header.isInterlaced,
            coding: header.isInterlaced ? "Adam7 interlaced" : "not interlaced", isLossless: true,
            frameCount: decoder.frameCount,
            isAnimation: decoder.isAnimation, colorSpace: decoder.colorSpace, metadata: metadata)
        colorFault = decoder.colorFault
    }
}

extension PNGFile {
    /// Returns whether opaque frames of an animation leave parts of the canvas transparent; waits for the whole file.
    ///
    /// - Throws: `stopped`.
    fileprivate func showsCanvas(limits: Limits, stop: StopToken?) throws(TexelError) -> Bool {
        _ = try bytes.wait(for: .max, stop)
        // Without a valid frame, the default image is shown.
        guard let animation = try? PNGAnimation(bytes, limits: limits) else { return false }
        return !CanvasCoverage.isAlwaysComplete(animation.canvas, animation.frames.map { ($0, true) })
    }
}
