import TexelPixels

/// Encodes one picture as a JPEG as often as somebody likes, at one quality after another. What does not depend on the
/// quality is made once: samples, frequencies, and what a search for adjustments finds.
package struct JPEGCandidateEncoder {
    private let picture: PixelBuffer
    private let profile: ICCProfile?
    private let isGray: Bool
    private let options: JPEGOptions
    private let metadata: WrittenMetadata
    private let rows: BlockRows
    private var frequencies: PictureFrequencies?
    private var adjustments: QuantizationSettings.Adjustments?
    /// Whether the picture may not share samples of its colours; known with its first frequencies.
    private var needsAllColors = false

    /// - Parameters:
    ///   - picture: opaque, with a profile that fits.
    ///   - options: their quality and subsampling say nothing.
    init(
        _ picture: PixelBuffer, isGray: Bool, _ profile: ICCProfile?, _ options: JPEGOptions,
        metadata: WrittenMetadata, _ rows: BlockRows
    ) {
        self.picture = picture
        self.isGray = isGray
        self.profile = profile
        self.options = options
        self.metadata = metadata
        self.rows = rows
    }

    /// A file.
    ///
    /// - Parameter quality: 1…100, libjpeg's scale.
    /// - Throws: `outOfMemory`, `stopped`.
    package mutating func encode(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(CodecError) -> [UInt8] {
        let (encoder, adjustments) = try encoder(quality: quality, subsampling)
        return try encoder.encode(quality: quality, adjustments)
    }

    /// The only file: pixels and frequencies go as soon as they have been used.
    consuming func encodeOnce(quality: Double, _ subsampling: ChromaSubsampling) throws(CodecError) -> [UInt8] {
        let (encoder, adjustments) = try encoder(quality: quality, subsampling)
        _ = consume self
        return try encoder.encode(quality: quality, adjustments, isLast: true)
    }

    private mutating func encoder(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(CodecError) -> (OptimizingJPEGEncoder, QuantizationSettings.Adjustments) {
        let frequencies = try frequencies(quality: quality, subsampling)
        let adjustments = try adjustments(frequencies.sampling, quality: quality)
        let encoder = OptimizingJPEGEncoder(
            frequencies, isProgressive: options.isProgressive, metadata: metadata, profile: profile, rows)
        return (encoder, adjustments)
    }

    /// Those of the sampling that a quality asks for, where it was not the last one's.
    private mutating func frequencies(
        quality: Double, _ subsampling: ChromaSubsampling
    ) throws(CodecError) -> PictureFrequencies {
        var sampling = subsampling.factors(quality: quality, effort: options.effort)
        if isGray || needsAllColors && subsampling == .automatic { sampling = (1, 1) }
        if let frequencies, frequencies.sampling == sampling { return frequencies }
        // Their memory goes before the next ones' comes.
        frequencies = nil
        let found = try PictureFrequencies(
            picture, isGray: isGray, sampling: sampling, mayKeepColors: subsampling == .automatic, rows)
        needsAllColors = needsAllColors || found.sampling != sampling
        frequencies = found
        return found
    }

    /// What to do differently for this picture, as found at the first quality.
    private mutating func adjustments(
        _ sampling: (horizontal: Int, vertical: Int), quality: Double
    ) throws(CodecError) -> QuantizationSettings.Adjustments {
        guard options.effort == .best else { return QuantizationSettings.Adjustments() }
        if let adjustments { return adjustments }
        let found = try SettingsSearch.adjustments(
            picture, isGray: isGray, sampling: sampling, quality: quality, rows)
        adjustments = found
        return found
    }
}
