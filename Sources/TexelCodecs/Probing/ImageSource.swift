public import TexelPixels

/// The bytes of an image file whose header has been read and is valid.
public struct ImageSource: Sendable {
    /// What the header says.
    public let info: ImageInfo
    let container: Container

    /// The parsed file, by format.
    enum Container: Sendable {
        case jpeg(JPEGFile, JPEGFile.Frame)
        case png(PNGFile, PNGFile.Header)
        /// The bytes are in another process.
        case elsewhere(byteCount: Int)
    }

    /// Reads the header. The format is detected from the content.
    ///
    /// - Throws: an error for an invalid header, or `limitExceeded`.
    public init(_ bytes: InputBytes, limits: Limits = Limits()) throws(CodecError) {
        try self.init(bytes, limits, stopCheck: nil)
    }

    /// Reads the header of a file that is still arriving; returns as soon as the header has arrived.
    ///
    /// Decoding this source gives the same result as decoding the whole file. Rows are returned as early as the bytes
    /// allow; both the decoder and this call block their thread while they wait. (With the strictness `none`, rows of a
    /// PNG are returned when their whole chunk has arrived.) The limit on the size of the input is that of `bytes`.
    ///
    /// - Parameter stopCheck: polled while this call waits; decoders poll that of their options.
    /// - Throws: an error for an invalid header; `limitExceeded`; `stopped`.
    package init(
        arriving bytes: ArrivingBytes, limits: Limits = Limits(), stopCheck: StopCheck?
    ) throws(CodecError) {
        try self.init(InputBytes(bytes), limits, stopCheck: stopCheck)
    }

    init(_ file: JPEGFile, _ frame: JPEGFile.Frame, _ info: ImageInfo) {
        container = .jpeg(file, frame)
        self.info = info
    }

    /// Describes a file whose bytes are in another process, which has read the header. It cannot be decoded here.
    package init(elsewhere info: ImageInfo, byteCount: Int) {
        container = .elsewhere(byteCount: byteCount)
        self.info = info
    }

    private init(_ bytes: InputBytes, _ limits: Limits, stopCheck: StopCheck?) throws(CodecError) {
        if let count = bytes.wholeCount, count > limits.inputBytes {
            throw .limitExceeded(.inputBytes, value: count, allowed: limits.inputBytes)
        }
        let head = min(16, try bytes.wait(for: 16, stopCheck))
        switch try ImageFormat(sniffing: bytes[0..<head]) {
        case .jpeg:
            let file = try JPEGFile(bytes, limit: limits.chunks, stopCheck: stopCheck)
            let frame = try file.frame()
            container = .jpeg(file, frame)
            info = try ImageInfo(file, frame, limits: limits)
        case .png:
            let file = PNGFile(bytes: bytes)
            let header = try file.header(stopCheck)
            container = .png(file, header)
            info = try ImageInfo(file, header, limits: limits, stopCheck: stopCheck)
        }
        try limits.check(info.size)
    }

    /// The size of the whole file in bytes; `nil` while it is arriving.
    public var byteCount: Int? {
        if case .elsewhere(let count) = container { count } else { bytes?.wholeCount }
    }

    /// The number of bytes that have arrived and are in memory.
    package var byteCountSoFar: Int {
        if case .elsewhere(let count) = container { count } else { bytes?.countSoFar ?? 0 }
    }

    /// The bytes; `nil` if they are in another process.
    private var bytes: InputBytes? {
        switch container {
        case .jpeg(let file, _): file.bytes
        case .png(let file, _): file.bytes
        case .elsewhere: nil
        }
    }

    private static let isElsewhere = CodecError.unsupported("decoding an image of another process")

    /// Waits for the end of the file.
    ///
    /// - Returns: the size of the file in bytes.
    /// - Throws: `stopped`.
    @discardableResult package func waitForEnd(_ stopCheck: StopCheck?) throws(CodecError) -> Int {
        try bytes?.wait(for: .max, stopCheck) ?? byteCountSoFar
    }

    /// Waits until more bytes have arrived than now.
    ///
    /// - Returns: false at the end of the file.
    /// - Throws: `stopped`.
    package func waitForMore(_ stopCheck: StopCheck?) throws(CodecError) -> Bool {
        let count = byteCountSoFar
        return try (bytes?.wait(for: count + 1, stopCheck) ?? count) > count
    }

    /// Whether the bytes up to the first scan or pixel have arrived, so that more of them would not change ``info``.
    package var holdsWholeHeader: Bool {
        switch container {
        case .jpeg(let file, _): file.scanStart < file.bytes.countSoFar
        // Creating the source has already read a PNG up to its pixels.
        case .png, .elsewhere: true
        }
    }

    /// Creates a decoder that is positioned before the first row.
    ///
    /// - Throws: `missingFrame` if the file does not have the frame of `options`; any error of opening the file.
    package func decoder(_ options: DecodeOptions = DecodeOptions()) throws(CodecError) -> any RowDecoder {
        switch container {
        case .png(let file, let header):
            if let index = options.frame, info.isAnimation {
                return try animationFrame(index, file, header, options)
            }
            try checkStillFrame(options)
            return try PNGDecoder(file, header: header, options: options)
        case .jpeg(let file, let frame):
            try checkStillFrame(options)
            return try JPEGDecoderContext.opening(file, options) { count throws(CodecError) in
                try JPEGDecoder(file, frame: frame, options: options, byteCount: count)
            }
        case .elsewhere: throw Self.isElsewhere
        }
    }

    private func animationFrame(
        _ index: Int, _ file: PNGFile, _ header: PNGFile.Header, _ options: DecodeOptions
    ) throws(CodecError) -> any RowDecoder {
        guard let animation = try PNGAnimation(file.bytes, limits: options.limits) else {
            throw .missingFrame(index, count: 1)
        }
        return try AnimationFrameDecoder(animation, frame: index, of: file, header: header, options: options)
    }

    private func checkStillFrame(_ options: DecodeOptions) throws(CodecError) {
        if let frame = options.frame, frame != 0 { throw .missingFrame(frame, count: 1) }
    }

    /// Creates a decoder of the planes of a greyscale or YCbCr JPEG.
    ///
    /// - Throws: `unsupported` for all other files; any error of decoding a JPEG.
    package func planeDecoder(_ options: DecodeOptions) throws(CodecError) -> JPEGPlaneDecoder {
        guard case .jpeg(let file, let frame) = container, info.colorModel == .gray || info.colorModel == .yCbCr else {
            throw .unsupported("decoding the planes of a \(info.colorModel.rawValue) \(info.format.rawValue)")
        }
        return try JPEGDecoderContext.opening(file, options) { count throws(CodecError) in
            try JPEGPlaneDecoder(file, frame: frame, options: options, byteCount: count)
        }
    }

    /// Returns the file with other metadata and identical pixel data.
    ///
    /// - Parameters:
    ///   - keepsColor: whether the colour profile, or other information about the colours, is kept.
    ///   - keepsAttachments: whether the ``attachments(_:)`` are kept.
    /// - Throws: `stopped`, while waiting for the whole file.
    package func rewritten(
        metadata: WrittenMetadata, keepsColor: Bool, keepsAttachments: Bool = false, stopCheck: StopCheck?
    ) throws(CodecError) -> [UInt8] {
        switch container {
        case .jpeg(let file, _):
            let result = try file.rewritten(metadata: metadata, profile: keepsColor ? profile : nil, stopCheck)
            return keepsAttachments ? try file.attaching(to: result, stopCheck) : result
        case .png(let file, _):
            return try file.rewritten(metadata: metadata, keepsProfile: keepsColor, stopCheck)
        case .elsewhere: throw Self.isElsewhere
        }
    }

    /// Returns what the file holds besides its image.
    ///
    /// - Throws: `stopped`, while waiting for the whole file.
    package func attachments(_ stopCheck: StopCheck?) throws(CodecError) -> Set<ImageAttachment> {
        guard case .jpeg(let file, _) = container else { return [] }
        return try file.attachments(xmp: info.metadata.xmp, stopCheck)
    }

    /// Compresses the file's samples again without loss: a PNG's at their own bit depth, with all frames of an
    /// animation; a JPEG's coefficients.
    ///
    /// - Parameters:
    ///   - encoding: the options for a JPEG: its effort, and its process if set. Only the effort applies to a PNG.
    ///   - keepsColor: whether the colour profile, or other information about the colours, is kept.
    ///   - keepsAttachments: whether the ``attachments(_:)`` are kept.
    ///   - options: the limits and the stop check; rows are counted while they are read.
    /// - Throws: `limitExceeded`, `stopped`, `outOfMemory`.
    package func recompressed(
        encoding: JPEGOptions, metadata: WrittenMetadata, keepsColor: Bool, keepsAttachments: Bool = false,
        options: DecodeOptions, parallelism: Int, progress: EncodingProgress?
    ) throws(CodecError) -> Recompressed {
        switch container {
        case .png(let file, let header):
            return try PNGRecompression(
                file: file, header: header, effort: encoding.effort, options: options, parallelism: parallelism,
                progress: progress
            ).file(metadata: metadata, keepsProfile: keepsColor)
        case .jpeg(let file, let frame):
            let optimized = try JPEGTranscoder(file: file, frame: frame, options: options).optimized(
                encoding: encoding, metadata: metadata, profile: keepsColor ? profile : nil, parallelism: parallelism)
            guard let bytes = optimized?.bytes else { return .impossible }
            return .file(keepsAttachments ? try file.attaching(to: bytes, options.stopCheck) : bytes)
        case .elsewhere: throw Self.isElsewhere
        }
    }

    /// Crops, turns and mirrors a JPEG without decoding it to pixels.
    ///
    /// - Parameters:
    ///   - move: the transform, aligned to the grid of ``ImageInfo/coefficientLayout``.
    ///   - encoding: how to code the coefficients; the quality and the subsampling stay those of the file.
    /// - Returns: the new file and the accepted warnings; `nil` if the coefficients cannot be moved.
    package func moved(
        _ move: CoefficientMove, encoding: JPEGOptions, metadata: WrittenMetadata, keepsColor: Bool,
        options: DecodeOptions
    ) throws(CodecError) -> (bytes: [UInt8], warnings: [String])? {
        guard case .jpeg(let file, let frame) = container else { return nil }
        let segments = file.applicationSegments(
            metadata: metadata, profile: keepsColor ? profile : nil)
        return try JPEGTranscoder(file: file, frame: frame, options: options)
            .moved(move, encoding: encoding, segments: segments)
    }

    private var profile: ICCProfile? {
        if case .iccProfile(let profile) = info.colorSpace { profile } else { nil }
    }

    /// Decodes the image as it is stored, without applying the orientation of ``info``.
    ///
    /// To decode the image upright, use `PixelBuffer(decoding:)` or `PixelBuffer(contentsOf:)` of the module Texel.
    ///
    /// - Throws: any error of the decoder; `stopped`.
    public func decodedAsStored(_ options: DecodeOptions = DecodeOptions()) throws(CodecError) -> DecodedImage {
        let decoder = try decoder(options)
        let image = try decoder.readImage(options.rowCounter)
        return DecodedImage(image, try decoder.finish())
    }
}

/// A decoded image with its metadata.
public struct DecodedImage: Sendable {
    /// The pixels.
    public var image: PixelBuffer
    /// EXIF, XMP, comments and density.
    public var metadata: ImageMetadata
    /// The first of the warnings that the strictness accepted.
    public var warnings: [String]

    package init(_ image: PixelBuffer, _ notes: DecoderResult) {
        self.image = image
        metadata = notes.metadata
        warnings = notes.warnings
    }

    /// Moves the pixel buffer out, so that the caller can hold the only reference.
    package consuming func takePixels() -> PixelBuffer { image }
}

extension ImageInfo {
    init(_ file: JPEGFile, _ frame: JPEGFile.Frame, limits: Limits) throws(CodecError) {
        let metadata = try file.metadata(limit: limits.metadataBytes)
        let profile = try file.colorProfile(of: frame, limit: limits.metadataBytes)
        self.init(
            format: .jpeg, size: PixelSize(width: frame.width, height: frame.height),
            orientation: metadata.orientation, colorModel: file.colorModel(of: frame), bitDepth: frame.precision,
            hasAlpha: false, isProgressive: frame.isProgressive, coding: frame.coding,
            chromaSubsampling: frame.chromaSubsampling, frameCount: 1,
            colorSpace: profile.map { .iccProfile($0) } ?? .sRGB, metadata: metadata,
            coefficientLayout: frame.coefficientLayout, quantization: file.quantization(of: frame))
    }

    init(
        _ file: PNGFile, _ header: PNGFile.Header, limits: Limits, stopCheck: StopCheck?
    ) throws(CodecError) {
        var options = DecodeOptions()
        options.limits = limits
        options.stopCheck = stopCheck
        let decoder = try PNGDecoder(file, header: header, options: options)
        let colorModel: ColorModel =
            switch header.colorType {
            case 0: .gray
            case 2: .rgb
            case 3: .palette
            case 4: .grayAlpha
            default: .rgba
            }
        let metadata = decoder.metadata
        self.init(
            format: .png, size: PixelSize(width: header.width, height: header.height),
            orientation: metadata.orientation, colorModel: colorModel, bitDepth: header.bitDepth,
            hasAlpha: decoder.alphaMode != .opaque, isProgressive: header.isInterlaced,
            coding: header.isInterlaced ? "Adam7 interlaced" : "not interlaced", chromaSubsampling: nil,
            frameCount: decoder.frameCount, isAnimation: decoder.isAnimation,
            colorSpace: decoder.colorSpace, metadata: metadata)
    }
}

extension JPEGFile {
    /// Returns the colour model that libjpeg will use (same rules as its default_decompress_parms).
    func colorModel(of frame: Frame) -> ImageInfo.ColorModel {
        switch frame.components.count {
        case 1: return .gray
        case 4: return adobeTransform == 2 ? .ycck : .cmyk
        default:
            if !payloads(Marker.application0, beginningWith: Array("JFIF\0".utf8)).isEmpty { return .yCbCr }
            if let adobeTransform { return adobeTransform == 0 ? .rgb : .yCbCr }
            return frame.components.map(\.identifier).elementsEqual("RGB".utf8) ? .rgb : .yCbCr
        }
    }
}

extension JPEGFile.Frame {
    fileprivate var coding: String {
        let process = isProgressive ? "progressive" : marker == 0xC0 ? "baseline" : "extended sequential"
        return isArithmetic ? process + ", arithmetic" : process
    }

    /// The subsampling in J:a:b notation; "other" if it has none.
    fileprivate var chromaSubsampling: String? {
        guard components.count >= 3, let first = components.first else { return nil }
        let (second, third) = (components[1], components[2])
        guard second.horizontalSampling == third.horizontalSampling,
            second.verticalSampling == third.verticalSampling,
            second.horizontalSampling > 0, second.verticalSampling > 0
        else { return "other" }
        let across = first.horizontalSampling / second.horizontalSampling
        let down = first.verticalSampling / second.verticalSampling
        switch (across, down) {
        case (1, 1): return "4:4:4"
        case (2, 1): return "4:2:2"
        case (2, 2): return "4:2:0"
        case (1, 2): return "4:4:0"
        case (4, 1): return "4:1:1"
        case (4, 2): return "4:1:0"
        default: return "other"
        }
    }
}
