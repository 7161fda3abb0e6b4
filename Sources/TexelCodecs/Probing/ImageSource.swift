public import TexelPixels

/// The bytes of a file whose header has been read and found sound.
public struct ImageSource: Sendable {
    public let info: ImageInfo
    let container: Container

    /// The format's own view of the bytes.
    enum Container: Sendable {
        case jpeg(JPEGFile, JPEGFile.Frame)
        case png(PNGFile, PNGFile.Header)
        /// Another process has them.
        case elsewhere(byteCount: Int)
    }

    /// Reads the header; the format is told from the content.
    ///
    /// - Throws: what is wrong with the header, or which limit it exceeds.
    public init(_ bytes: InputBytes, limits: Limits = Limits()) throws(CodecError) {
        try self.init(bytes, limits, stopCheck: nil)
    }

    /// Reads the header of a file that is still arriving, as soon as it is there.
    ///
    /// What is decoded from this source is what the whole file would give. It comes as early as the bytes allow, on a
    /// thread that waits for them; so does the call itself. (With the strictness `none`, rows of a PNG come when their
    /// chunk is there as a whole.) A limit on the input's bytes is that of `bytes`.
    ///
    /// - Parameter stopCheck: asked while this call waits; decoders ask that of their options.
    /// - Throws: what is wrong with the header, or which limit it exceeds; `stopped`.
    package init(
        arriving bytes: ArrivingBytes, limits: Limits = Limits(), stopCheck: StopCheck?
    ) throws(CodecError) {
        try self.init(InputBytes(bytes), limits, stopCheck: stopCheck)
    }

    init(_ file: JPEGFile, _ frame: JPEGFile.Frame, _ info: ImageInfo) {
        container = .jpeg(file, frame)
        self.info = info
    }

    /// A file whose bytes are in another process, which has read the header. Here it cannot be decoded.
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

    /// Of the whole file; `nil` while it arrives.
    public var byteCount: Int? {
        if case .elsewhere(let count) = container { count } else { bytes?.wholeCount }
    }

    /// How many bytes are there, and in memory.
    package var byteCountSoFar: Int {
        if case .elsewhere(let count) = container { count } else { bytes?.countSoFar ?? 0 }
    }

    /// Where they are in this process.
    private var bytes: InputBytes? {
        switch container {
        case .jpeg(let file, _): file.bytes
        case .png(let file, _): file.bytes
        case .elsewhere: nil
        }
    }

    private static let isElsewhere = CodecError.unsupported("decoding what another process is to decode")

    /// Waits for the end of the file, for what needs it as a whole.
    ///
    /// - Returns: how many bytes it has.
    /// - Throws: `stopped`.
    @discardableResult package func waitForEnd(_ stopCheck: StopCheck?) throws(CodecError) -> Int {
        try bytes?.wait(for: .max, stopCheck) ?? byteCountSoFar
    }

    /// Waits until more bytes have come than there are now.
    ///
    /// - Returns: false at the end.
    /// - Throws: `stopped`.
    package func waitForMore(_ stopCheck: StopCheck?) throws(CodecError) -> Bool {
        let count = byteCountSoFar
        return try (bytes?.wait(for: count + 1, stopCheck) ?? count) > count
    }

    /// Whether the bytes reach to where the pixels begin, so that more of them would not change ``info``.
    package var holdsWholeHeader: Bool {
        switch container {
        case .jpeg(let file, _): file.scanStart < file.bytes.countSoFar
        // libpng has read up to the first pixel already.
        case .png, .elsewhere: true
        }
    }

    /// A decoder that stands before the first row.
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
            return try JPEGHandle.opening(file, options) { count throws(CodecError) in
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

    /// A decoder of a grey or YCbCr JPEG's own planes.
    ///
    /// - Throws: `unsupported` for all other files, and what decoding a JPEG can throw.
    package func planeDecoder(_ options: DecodeOptions) throws(CodecError) -> JPEGPlaneDecoder {
        guard case .jpeg(let file, let frame) = container, info.colorModel == .gray || info.colorModel == .yCbCr else {
            throw .unsupported("planes of a \(info.colorModel.rawValue) \(info.format.rawValue)")
        }
        return try JPEGHandle.opening(file, options) { count throws(CodecError) in
            try JPEGPlaneDecoder(file, frame: frame, options: options, byteCount: count)
        }
    }

    /// The file with other metadata and the very same pixel data.
    ///
    /// - Parameters:
    ///   - keepsColor: whether the colour profile, or what else says what the colours mean, stays.
    ///   - keepsAttachments: whether what ``attachments(_:)`` finds stays.
    /// - Throws: `stopped`, while it waits for the whole file.
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

    /// What the file holds besides its image.
    ///
    /// - Throws: `stopped`, while it waits for the whole file.
    package func attachments(_ stopCheck: StopCheck?) throws(CodecError) -> Set<ImageAttachment> {
        guard case .jpeg(let file, _) = container else { return [] }
        return try file.attachments(xmp: info.metadata.xmp, stopCheck)
    }

    /// The file with its samples compressed again without loss: those of a PNG at their own bit depth, with all frames of
    /// an animation, and the coefficients of a JPEG.
    ///
    /// - Parameters:
    ///   - encoding: the options for a JPEG: its effort, and its process if it gives one.
    ///   - keepsColor: whether the colour profile, or what else says what the colours mean, stays.
    ///   - keepsAttachments: whether what ``attachments(_:)`` finds stays.
    ///   - options: limits and stop check; rows are counted while they are read.
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

    /// The picture cut and turned without decoding it to pixels.
    ///
    /// - Parameters:
    ///   - move: aligned to the blocks of ``ImageInfo/coefficientLayout``.
    ///   - encoding: how to code; the quality and the subsampling stay the file's own.
    /// - Returns: the new file and what was let pass; `nil` where the coefficients cannot be moved after all.
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

    /// Decodes the image as it is stored: its orientation is in ``info`` and not applied.
    ///
    /// `PixelBuffer(decoding:)` and `PixelBuffer(contentsOf:)` of the module Texel decode upright.
    ///
    /// - Throws: what the decoder finds, `stopped`.
    public func decodedAsStored(_ options: DecodeOptions = DecodeOptions()) throws(CodecError) -> DecodedImage {
        let decoder = try decoder(options)
        let picture = try decoder.readPicture(options.rowCounter)
        return DecodedImage(picture, try decoder.finish())
    }
}

/// A decoded picture with what came beside the pixels.
public struct DecodedImage: Sendable {
    public var picture: PixelBuffer
    public var metadata: ImageMetadata
    /// What the decoder let pass.
    public var warnings: [String]

    package init(_ picture: PixelBuffer, _ notes: DecoderNotes) {
        self.picture = picture
        metadata = notes.metadata
        warnings = notes.warnings
    }

    /// The picture alone, for whoever wants to be the last one who has it.
    package consuming func takePicture() -> PixelBuffer { picture }
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
    /// The colours that libjpeg will find (its default_decompress_parms follows the same rules).
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

    /// The J:a:b notation, where the factors have one.
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
