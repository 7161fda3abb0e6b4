public import TexelCodecs

/// Options for writing a TIFF.
public struct TIFFOptions: Sendable, Hashable {
    /// How strips are compressed.
    public enum Compression: Sendable, Hashable {
        /// Deflate, without loss.
        case deflate
        /// JPEG at a quality of 1…100 on libjpeg's scale. Images with transparency are compressed with deflate, because
        /// JPEG has no transparency.
        case jpeg(quality: Int)
    }

    /// How strips are compressed.
    public var compression = Compression.deflate
    /// The chroma subsampling of JPEG. `automatic` is 4:4:4 from quality 90, otherwise 4:2:0.
    public var subsampling = ChromaSubsampling.automatic
    /// The time that deflate spends.
    public var effort = Effort.balanced
    /// Whether images without colour or transparency are stored with fewer samples.
    public var reducesLosslessly = true

    /// Creates options; each parameter sets the property of its name.
    public init(
        compression: Compression = .deflate, subsampling: ChromaSubsampling = .automatic, effort: Effort = .balanced,
        reducesLosslessly: Bool = true
    ) {
        self.compression = compression
        self.subsampling = subsampling
        self.effort = effort
        self.reducesLosslessly = reducesLosslessly
    }

    /// Creates options from those that all formats share. TIFF is lossless unless a quality is requested.
    package init(_ settings: EncodingSettings) {
        let quality = settings.isLossless ? nil : settings.quality
        self.init(
            compression: quality.map { .jpeg(quality: $0) } ?? .deflate, subsampling: settings.subsampling,
            effort: settings.effort)
    }

    /// The number of luma samples per chroma sample in each direction.
    var chromaFactors: (horizontal: Int, vertical: Int) {
        if let factors = subsampling.factors { return factors }
        if case .jpeg(let quality) = compression, quality < 90 { return (2, 2) }
        return (1, 1)
    }
}
