public import SystemPackage
public import TexelCodecs

/// A picture that somebody wants: where its bytes come from, and what to do with them.
public struct ImageRequest: Sendable {
    public var source: any ByteSource
    public var recipe: Recipe
    public var priority: Priority
    public var limits = Limits()
    public var strictness = Strictness.truncated
    /// How long decoding and all that follows may take once the bytes are there; `nil` is for ever.
    public var timeout: Duration?
    public var cacheUse = CacheUse.full
    /// Whether pictures of the first scans of a progressive JPEG are delivered before the final one.
    public var deliversPreviews = false

    public init(_ source: any ByteSource, recipe: Recipe = Recipe(), priority: Priority = .normal) {
        self.source = source
        self.recipe = recipe
        self.priority = priority
    }

    /// A file's picture.
    public init(_ path: FilePath, recipe: Recipe = Recipe(), priority: Priority = .normal) {
        self.init(FileSource(path), recipe: recipe, priority: priority)
    }

    /// What a request has to do with the pipeline's caches.
    public enum CacheUse: Sendable, Hashable {
        /// Takes a kept result, and keeps a new one.
        case full
        /// Makes the result anew, and keeps it.
        case refresh
        case none
    }

    /// Requests of equal keys come to the same.
    struct Key: Hashable {
        let input: InputIdentity
        let recipe: Recipe
        let limits: Limits
        let strictness: Strictness
        let timeout: Duration?
        let deliversPreviews: Bool
        let cacheUse: CacheUse
    }

    /// What the result is kept under.
    func cacheKey(_ version: InputIdentity, _ kind: CacheKey.Kind) -> CacheKey {
        CacheKey(input: version, recipe: recipe, kind: kind, strictness: strictness)
    }

    var key: Key {
        Key(
            input: source.identity, recipe: recipe, limits: limits, strictness: strictness, timeout: timeout,
            deliversPreviews: deliversPreviews, cacheUse: cacheUse)
    }
}
