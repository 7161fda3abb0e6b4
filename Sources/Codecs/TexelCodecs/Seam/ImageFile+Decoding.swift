public import TexelCore
public import TexelPixels

// What callers do with an opened file: the optional abilities of its codec, and the checks that all formats share.

extension ImageFile {
    /// Returns one image of a file with pages as a file of its own, with its own size and metadata; other files are
    /// returned as they are.
    ///
    /// - Parameters:
    ///   - index: from 0.
    ///   - limits: checked with the size of the image.
    ///   - stop: polled while this call waits for bytes.
    /// - Throws: `missingPage` if there is no such image, an error of its header, `limitExceeded`, `stopped`.
    package func page(_ index: Int, limits: Limits, _ stop: StopToken?) throws(TexelError) -> any ImageFile {
        guard mayHavePages, let file = self as? any PagedImageFile else { return self }
        guard index >= 0 else { throw .missingPage(index, count: try file.pageCount(stop)) }
        let page = try file.page(index, stop)
        try limits.check(page.info.size)
        return page
    }

    // MARK: Bytes

    /// The size of the whole file in bytes; `nil` while it is arriving.
    public var byteCount: Int? { bytes.wholeCount }

    /// The number of bytes that have arrived.
    package var byteCountSoFar: Int { bytes.countSoFar }

    /// The number of bytes that have arrived and take memory of this process.
    package var ownedByteCount: Int { bytes.ownedCount }

    /// The memory of the bytes, if it is that of a file.
    package var reloadableMemory: (any ReloadableMemory)? { bytes.reloadableMemory }

    /// Waits until more bytes have arrived than now.
    ///
    /// - Returns: false at the end of the file.
    /// - Throws: `stopped`.
    package func waitForMore(_ stop: StopToken?) throws(TexelError) -> Bool {
        let count = byteCountSoFar
        return try bytes.wait(for: count + 1, stop) > count
    }

    // MARK: Decoding

    /// Creates a decoder that is positioned before the first row.
    ///
    /// - Throws: `missingFrame` or `missingPage` if the file does not have the frame of `options`; any error of opening
    ///   the file.
    public func decoder(_ options: DecodeOptions = DecodeOptions()) throws(TexelError) -> any RowDecoder {
        try checkColors(options)
        var options = options
        let pages = self as? any PagedImageFile
        if pages?.isPage ?? false { options.frame = nil }
        if let index = options.frame, info.isAnimation {
            guard let animation = try animation(limits: options.policy.limits) else {
                throw .missingFrame(index, count: 1)
            }
            // The default image is opened for the faults that the strictness rejects, too.
            return try AnimationFrameDecoder(
                animation, frame: index, colorSpace: try makeDecoder(options).colorSpace, metadata: info.metadata,
                options: options)
        }
        if let frame = options.frame, frame != 0 {
            if let pages {
                let count = try pages.pageCount(options.stop)
                guard (0..<count).contains(frame) else { throw .missingPage(frame, count: count) }
            } else {
                throw .missingFrame(frame, count: 1)
            }
        }
        return try makeDecoder(options)
    }

    /// - Throws: `warning` if the colours that the file declares are not used, and the strictness rejects that.
    private func checkColors(_ options: DecodeOptions) throws(TexelError) {
        if options.policy.strictness == .warning, let fault = info.colorFault { throw .warning(fault) }
    }

    /// Decodes the image as it is stored, without applying the orientation of ``info``.
    ///
    /// To decode the image upright, use `PixelBuffer(decoding:)` or `PixelBuffer(contentsOf:)` of the module Texel.
    ///
    /// - Throws: any error of the decoder; `stopped`.
    public func decodedAsStored(_ options: DecodeOptions = DecodeOptions()) throws(TexelError) -> DecodedImage {
        let decoder = try decoder(options)
        try options.policy.limits.checkWhole(decoder.size)
        let image = try decoder.readImage(options.rowCounter)
        var result = try decoder.finish()
        if let fault = info.colorFault { result.warnings.append(fault) }
        return DecodedImage(image, result)
    }

    /// Finds the frames of an animation; decodes no pixels. Waits for the whole file.
    ///
    /// - Returns: `nil` for a still image.
    /// - Throws: an error in the header or before the end of the first frame; `limitExceeded`.
    package func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)? {
        try (self as? any AnimatedImageFile)?.animation(limits: limits)
    }

    /// Returns ``info``, for an animation with the timing of its frames, which waits for the whole file.
    ///
    /// The timing is `nil` if the frames are damaged.
    package func infoWithTiming(limits: Limits) -> ImageInfo {
        var info = info
        // Without a frame the file may still have a default image.
        if info.isAnimation, let animation = try? animation(limits: limits) { info.timing = AnimationTiming(animation) }
        return info
    }

    /// Creates a decoder of the planes.
    ///
    /// - Throws: `unsupported` if ``ImageInfo/hasPlanes`` is not set; any error of opening the file.
    package func planeDecoder(_ options: DecodeOptions) throws(TexelError) -> any PlaneDecoder {
        guard info.hasPlanes, let file = self as? any PlanarImageFile else {
            throw .unsupported("decoding the planes of a \(info.colorModel.rawValue) \(info.format.rawValue)")
        }
        try checkColors(options)
        return try file.planeDecoder(options)
    }

    /// Returns the scans of a progressive file; `nil` for other files.
    package func scans(limit: Int) -> (any ImageScans)? {
        (self as? any ProgressiveImageFile)?.scans(limit: limit)
    }

    // MARK: Writing without decoding

    /// Writes the file with other metadata and identical pixel data.
    ///
    /// - Throws: `stopped`, while waiting for the whole file; `stopped(.outputFailed)`.
    package func rewrite(
        metadata: WrittenMetadata, keeping: KeptParts, to sink: OutputSink, stop: StopToken?
    ) throws(TexelError) {
        guard let streamed = self as? any StreamedImageFile else {
            return try sink.append(try rewritten(metadata: metadata, keeping: keeping, stop: stop))
        }
        try streamed.rewrite(metadata: metadata, keeping: keeping, to: sink, stop: stop)
    }

    /// Compresses the file's samples or coefficients again without loss.
    ///
    /// - Parameters:
    ///   - settings: the effort, and the coding process if set.
    ///   - options: the limits and the stop token; rows are counted while they are read.
    /// - Returns: `impossible` also for a format without this ability.
    /// - Throws: `limitExceeded`, `stopped`, `outOfMemory`.
    package func recompressed(
        settings: EncodingSettings, metadata: WrittenMetadata, keeping: KeptParts, options: DecodeOptions,
        parallelism: Int, progress: EncodingProgress?
    ) throws(TexelError) -> Recompressed {
        guard let file = self as? any RecompressibleImageFile else { return .impossible }
        return try file.recompressed(
            settings: settings, metadata: metadata, keeping: keeping, options: options, parallelism: parallelism,
            progress: progress)
    }

    /// Restores the file that this one stores, byte for byte.
    ///
    /// - Returns: `nil` if it stores none, or it cannot be restored exactly.
    /// - Throws: `limitExceeded`, `missingLibrary`, `outOfMemory`, `stopped`.
    package func storedFile(_ options: DecodeOptions) throws(TexelError) -> [UInt8]? {
        try (self as? any StoringImageFile)?.storedFile(options)
    }

    /// Returns the file; waits until all of it has arrived.
    ///
    /// - Throws: `stopped`.
    package func wholeFile(_ stop: StopToken?) throws(TexelError) -> InputBytes {
        _ = try bytes.wait(for: .max, stop)
        return bytes
    }

    /// Crops, turns and mirrors the image without decoding it to pixels.
    ///
    /// - Parameters:
    ///   - move: the transform, aligned to the grid of ``ImageInfo/coefficientLayout``.
    ///   - settings: how to code the coefficients; the quality and the subsampling stay those of the file.
    /// - Returns: the new file and the accepted warnings; `nil` if the coefficients cannot be moved.
    package func moved(
        _ move: CoefficientMove, settings: EncodingSettings, metadata: WrittenMetadata, keeping: KeptParts,
        options: DecodeOptions
    ) throws(TexelError) -> (bytes: [UInt8], warnings: [String])? {
        guard let file = self as? any CoefficientImageFile else { return nil }
        return try file.moved(move, settings: settings, metadata: metadata, keeping: keeping, options: options)
    }
}

/// A decoded image with its metadata.
public struct DecodedImage: Sendable {
    /// The pixels.
    public var image: PixelBuffer
    /// EXIF, XMP, comments and density.
    public var metadata: ImageMetadata
    /// The first of the warnings that the strictness accepted.
    public var warnings: [String] { notes.warnings }
    /// The decoder's result, with the metadata as they were read.
    package let notes: DecoderResult

    package init(_ image: PixelBuffer, _ notes: DecoderResult) {
        self.image = image
        metadata = notes.metadata
        self.notes = notes
    }

    /// Moves the pixel buffer out, so that the caller can hold the only reference.
    package consuming func takePixels() -> PixelBuffer { image }
}
