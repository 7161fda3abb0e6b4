public import TexelCodecs
public import TexelOperations

/// The key of a cached result: the input, what was done to it, and the kind of result.
public struct CacheKey: Sendable, Hashable {
    /// The hash that identifies the result.
    public let digest: ContentDigest

    /// Must be increased whenever the same recipe gives other bytes or pixels for the same input, so that old results
    /// are not found any more.
    package static let resultsVersion = 1

    /// Makes a key for another kind of value.
    public init(digest: ContentDigest) { self.digest = digest }

    /// Makes the key of a recipe's result.
    ///
    /// - Parameters:
    ///   - input: identifies one version of the input's bytes.
    ///   - recipe: all operations and output options are part of the key, even those without effect on this input.
    ///   - kind: the kind of result.
    ///   - strictness: decides whether a damaged input has a result. Limits are not part of a key, because results do
    ///     not depend on them.
    public init(input: InputIdentity, recipe: Recipe, kind: ResultKind, strictness: Strictness) {
        digest = ContentDigest(
            ofIdentityOf: Identity(input: input.text, recipe: recipe, kind: kind, strictness: strictness))
    }

    /// Everything on which a result depends.
    private struct Identity: Encodable {
        var resultsVersion = CacheKey.resultsVersion
        let input: String
        let recipe: Recipe
        let kind: ResultKind
        let strictness: Strictness
    }
}
