import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes one image as a JPEG repeatedly, at different qualities. Everything that does not depend on the quality is
/// computed once: the samples and their DCT coefficients.
struct JPEGCandidateEncoder {
    private let image: PixelBuffer
    private let profile: ICCProfile?
    private let isGray: Bool
    private let options: JPEGOptions
    private let metadata: WrittenMetadata
    private let rows: BlockRows
    private var frequencies: ImageCoefficients?
    /// The quality for which the subsampling of `frequencies` was chosen; `nil` if it was given.
    private var chosenQuality: Double?

    /// - Parameters:
    ///   - image: opaque pixels with a suitable profile.
    ///   - options: the options; `quality` and `subsampling` are ignored.
    init(
        _ image: PixelBuffer, isGray: Bool, _ profile: ICCProfile?, _ options: JPEGOptions,
        metadata: WrittenMetadata, _ rows: BlockRows
    ) {
        self.image = image
        self.isGray = isGray
        self.profile = profile
        self.options = options
        self.metadata = metadata
        self.rows = rows
    }

    /// Encodes the image.
    ///
    /// - Parameter quality: 1…100 on libjpeg's scale.
    /// - Throws: `outOfMemory`, `stopped`.
    mutating func encode(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(TexelError) -> [UInt8] {
        try encoder(quality: quality, subsampling).encode(quality: quality)
    }

    /// Encodes the image for the last time: frees the pixels and the coefficients as soon as they have been used.
    consuming func encodeOnce(quality: Double, _ subsampling: ChromaSubsampling) throws(TexelError) -> [UInt8] {
        let encoder = try encoder(quality: quality, subsampling)
        _ = consume self
        return try encoder.encode(quality: quality, isLast: true)
    }

    private mutating func encoder(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(TexelError) -> TrellisJPEGEncoder {
        TrellisJPEGEncoder(
            try frequencies(quality: quality, subsampling), isProgressive: options.isProgressive, metadata: metadata,
            profile: profile, rows)
    }

    /// Returns the DCT coefficients for the sampling that the quality requires; reuses those of the last call if
    /// possible.
    private mutating func frequencies(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(TexelError) -> ImageCoefficients {
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
}
