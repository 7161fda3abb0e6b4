import TexelCodecs
import TexelPixels

/// Encodes one image as a JPEG repeatedly, at different qualities. Everything that does not depend on the quality is
/// computed once: the samples, their DCT coefficients, and the adjustments that a search finds.
struct JPEGCandidateEncoder {
    private let image: PixelBuffer
    private let profile: ICCProfile?
    private let isGray: Bool
    private let options: JPEGOptions
    private let metadata: WrittenMetadata
    private let rows: BlockRows
    private let trialDecoder: TrialDecoder
    private var frequencies: ImageCoefficients?
    private var adjustments: QuantizationSettings.Adjustments?
    /// The quality for which the subsampling of `frequencies` was chosen; `nil` if it was given.
    private var chosenQuality: Double?

    /// - Parameters:
    ///   - image: opaque pixels with a suitable profile.
    ///   - options: the options; `quality` and `subsampling` are ignored.
    init(
        _ image: PixelBuffer, isGray: Bool, _ profile: ICCProfile?, _ options: JPEGOptions,
        metadata: WrittenMetadata, _ rows: BlockRows, _ trialDecoder: TrialDecoder
    ) {
        self.image = image
        self.isGray = isGray
        self.profile = profile
        self.options = options
        self.metadata = metadata
        self.rows = rows
        self.trialDecoder = trialDecoder
    }

    /// Encodes the image.
    ///
    /// - Parameter quality: 1…100 on libjpeg's scale.
    /// - Throws: `outOfMemory`, `stopped`.
    mutating func encode(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(CodecError) -> [UInt8] {
        let (encoder, adjustments) = try encoder(quality: quality, subsampling)
        return try encoder.encode(quality: quality, adjustments)
    }

    /// Encodes the image for the last time: frees the pixels and the coefficients as soon as they have been used.
    consuming func encodeOnce(quality: Double, _ subsampling: ChromaSubsampling) throws(CodecError) -> [UInt8] {
        let (encoder, adjustments) = try encoder(quality: quality, subsampling)
        _ = consume self
        return try encoder.encode(quality: quality, adjustments, isLast: true)
    }

    private mutating func encoder(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(CodecError) -> (TrellisJPEGEncoder, QuantizationSettings.Adjustments) {
        let frequencies = try frequencies(quality: quality, subsampling)
        let adjustments = try adjustments(frequencies.sampling, quality: quality)
        let encoder = TrellisJPEGEncoder(
            frequencies, isProgressive: options.isProgressive, metadata: metadata, profile: profile, rows)
        return (encoder, adjustments)
    }

    /// Returns the DCT coefficients for the sampling that the quality requires; reuses those of the last call if
    /// possible.
    private mutating func frequencies(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(CodecError) -> ImageCoefficients {
        let isChosen = subsampling == .automatic && !isGray
        let sampling = isGray ? (1, 1) : subsampling.factors ?? (2, 2)
        if let frequencies, isChosen ? chosenQuality == quality : frequencies.sampling == sampling {
            return frequencies
        }
        // Free the previous coefficients before the next are allocated.
        frequencies = nil
        let found = try ImageCoefficients(
            image, isGray: isGray, sampling: sampling,
            choice: isChosen ? QuantizationSettings(quality: quality) : nil, rows)
        chosenQuality = isChosen ? quality : nil
        frequencies = found
        return found
    }

    /// Returns the adjustments for this image, which are searched at the first quality.
    private mutating func adjustments(
        _ sampling: (horizontal: Int, vertical: Int), quality: Double
    ) throws(CodecError) -> QuantizationSettings.Adjustments {
        guard options.effort == .best else { return QuantizationSettings.Adjustments() }
        if let adjustments { return adjustments }
        let found = try SettingsSearch.adjustments(
            image, isGray: isGray, sampling: sampling, quality: quality, rows, trialDecoder)
        adjustments = found
        return found
    }
}
