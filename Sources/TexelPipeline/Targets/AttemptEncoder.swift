import TexelCodecs
import TexelPixels

/// Encodes one image in several ways; work that they share is done once.
struct AttemptEncoder {
    private let image: PixelBuffer
    private let metadata: WrittenMetadata
    private let background: PixelColor
    private let stopCheck: StopCheck?
    private let parallelism: Int
    /// Created on the first encoding with the optimising encoder.
    private var candidates: JPEGCandidateEncoder?

    /// - Parameters:
    ///   - background: the colour under transparent pixels in a format without alpha.
    ///   - parallelism: how many threads may share the work; the bytes do not depend on it.
    init(
        _ image: PixelBuffer, metadata: WrittenMetadata, background: PixelColor, stopCheck: StopCheck?,
        parallelism: Int
    ) {
        self.image = image
        self.metadata = metadata
        self.background = background
        self.stopCheck = stopCheck
        self.parallelism = parallelism
    }

    /// Encodes the image. Encodings may differ in quality, subsampling, effort and palette only.
    mutating func encode(_ encoding: ImageEncoding) throws(PipelineError) -> [UInt8] {
        try PipelineError.wrapping { () throws(CodecError) in try encoded(encoding) }
    }

    private mutating func encoded(_ encoding: ImageEncoding) throws(CodecError) -> [UInt8] {
        if case .jpeg(let options) = encoding, options.effort != .fast {
            if candidates == nil {
                candidates = try JPEGEncoder(
                    options, metadata: metadata, stopCheck: stopCheck, parallelism: parallelism
                ).candidates(of: image, background: background)
            }
            if let bytes = try candidates?.encode(quality: options.exactQuality, options.subsampling) {
                return bytes
            }
        }
        return try image.encoded(
            as: encoding, metadata: metadata, background: background, stopCheck: stopCheck,
            parallelism: parallelism)
    }
}
