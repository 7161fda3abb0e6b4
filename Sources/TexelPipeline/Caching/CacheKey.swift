public import TexelCodecs

/// Under what a result is kept: the input, what was done to it, and what kind of result it is.
public struct CacheKey: Sendable, Hashable {
    public let digest: ContentDigest

    /// What was kept of a recipe's result.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The bytes of a file.
        case encodedImage
        /// Pixels.
        case pixelBuffer
    }

    /// Is raised whenever the same recipe makes other bytes or pixels of the same input, so that no cache gives out what
    /// this version would not make.
    static let resultsVersion = 4

    /// A key for something of one's own.
    public init(digest: ContentDigest) { self.digest = digest }

    /// - Parameters:
    ///   - input: names one version of the input's bytes.
    ///   - recipe: every operation and every output option counts, whether or not it matters for this input.
    ///   - kind: of the result.
    ///   - strictness: decides whether a damaged input has a result. Limits are not part of a key: a result does not
    ///     depend on them, once there is one.
    public init(input: InputIdentity, recipe: Recipe, kind: Kind, strictness: Strictness) {
        var fields = FieldWriter()
        fields.append("Texel result")
        fields.append(Self.resultsVersion)
        fields.append(kind)
        fields.append(input.text)
        fields.append(strictness)
        fields.append(recipe)
        digest = ContentDigest(of: fields.bytes)
    }
}
