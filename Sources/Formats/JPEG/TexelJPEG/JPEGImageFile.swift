import TexelCodecs
import TexelCore
import TexelPixels

/// An opened JPEG.
struct JPEGImageFile {
    let file: JPEGFile
    let frame: JPEGFile.Frame
    let info: ImageInfo

    /// Reads the header.
    ///
    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        file = try JPEGFile(bytes, limit: limits.chunks, stop: stop)
        frame = try file.frame()
        info = try ImageInfo(file, frame, limits: limits, stop)
    }

    init(_ file: JPEGFile, _ frame: JPEGFile.Frame, _ info: ImageInfo) {
        self.file = file
        self.frame = frame
        self.info = info
    }

    /// The profile of the file's colours; `nil` if it has none that is used.
    private var profile: ICCProfile? {
        if case .iccProfile(let profile) = info.colorSpace { profile } else { nil }
    }
}

extension JPEGImageFile: ImageFile {
    var bytes: InputBytes { file.bytes }

    var holdsWholeHeader: Bool { file.holdsScanHeader(of: frame) }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try JPEGDecoderContext.opening(file, options) { count throws(TexelError) in
            try JPEGDecoder(file, frame, profile, options: options, byteCount: count)
        }
    }

    func attachments(_ stop: StopToken?) throws(TexelError) -> Set<ImageAttachment> {
        try file.attachments(xmp: info.metadata.xmp, stop)
    }
}

extension JPEGImageFile: StreamedImageFile {
    func rewrite(
        metadata: WrittenMetadata, keeping: KeptParts, to sink: OutputSink, stop: StopToken?
    ) throws(TexelError) {
        let profile = keeping.contains(.color) ? profile : nil
        guard keeping.contains(.attachments), try file.hasDataAfterImage(stop) else {
            return try file.rewrite(metadata: metadata, profile: profile, to: sink, stop)
        }
        // Attachments are found by their distance from the beginning of the file.
        let image = OutputSink()
        try file.rewrite(metadata: metadata, profile: profile, to: image, stop)
        try sink.append(try file.attaching(to: image.finish().inMemory, stop))
    }
}

extension JPEGImageFile: PlanarImageFile {
    func planeDecoder(_ options: DecodeOptions) throws(TexelError) -> any PlaneDecoder {
        try JPEGDecoderContext.opening(file, options) { count throws(TexelError) in
            try JPEGPlaneDecoder(file, frame, profile, options: options, byteCount: count)
        }
    }
}

extension JPEGImageFile: CoefficientImageFile {
    func moved(
        _ move: CoefficientMove, settings: EncodingSettings, metadata: WrittenMetadata, keeping: KeptParts,
        options: DecodeOptions
    ) throws(TexelError) -> (bytes: [UInt8], warnings: [String])? {
        let segments = file.applicationSegments(
            metadata: metadata, profile: keeping.contains(.color) ? profile : nil)
        return try JPEGTranscoder(file: file, frame: frame, options: options)
            .moved(move, settings: settings, segments: segments)
    }
}

extension JPEGImageFile: RecompressibleImageFile {
    func recompressed(
        settings: EncodingSettings, metadata: WrittenMetadata, keeping: KeptParts, options: DecodeOptions,
        parallelism: Int, progress: EncodingProgress?
    ) throws(TexelError) -> Recompressed {
        let optimized = try JPEGTranscoder(file: file, frame: frame, options: options).optimized(
            isProgressive: settings.isProgressive, metadata: metadata,
            profile: keeping.contains(.color) ? profile : nil, parallelism: parallelism)
        guard let bytes = optimized?.bytes else { return .impossible }
        return .file(keeping.contains(.attachments) ? try file.attaching(to: bytes, options.stop) : bytes)
    }
}

extension JPEGImageFile: ProgressiveImageFile {
    func scans(limit: Int) -> (any ImageScans)? { ProgressiveScans(self, limit: limit) }
}
