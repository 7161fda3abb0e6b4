public import SystemPackage
public import TexelCodecs

/// A request for an image: where its bytes come from, and what to do with them.
public struct ImageRequest: Sendable {
    /// Provides the bytes of the encoded image.
    public var source: any ByteSource
    /// The operations on the image, and the encoding of the result.
    public var recipe: Recipe
    /// The urgency relative to other requests.
    public var priority: Priority
    /// The limits on the input and the result, and which faults of the input are errors.
    public var policy = DecodePolicy()
    /// The time limit for everything after the bytes were loaded; `nil` for none.
    public var timeout: Duration?
    /// How the pipeline's caches are used.
    public var cacheUse = CacheUse.full
    /// Whether images of the first scans of a progressive file are delivered before the final one.
    public var deliversPreviews = false

    /// Makes a request for the image of any source.
    public init(_ source: any ByteSource, recipe: Recipe = Recipe(), priority: Priority = .normal) {
        self.source = source
        self.recipe = recipe
        self.priority = priority
    }

    /// Makes a request for the image in a file.
    public init(_ path: FilePath, recipe: Recipe = Recipe(), priority: Priority = .normal) {
        self.init(FileSource(path), recipe: recipe, priority: priority)
    }

    /// How a request uses the pipeline's caches.
    public enum CacheUse: Sendable, Hashable {
        /// Returns a cached result if there is one, and stores a new one.
        case full
        /// Makes the result again, and stores it.
        case refresh
        /// Neither reads nor writes the caches.
        case none
    }

    /// Requests with equal keys have the same result and share the work.
    struct Key: Hashable {
        let input: InputIdentity
        let recipe: Recipe
        let policy: DecodePolicy
        let timeout: Duration?
        let deliversPreviews: Bool
        let cacheUse: CacheUse
    }

    /// The key under which the result is cached.
    func cacheKey(_ version: InputIdentity, _ kind: ResultKind) -> CacheKey {
        CacheKey(input: version, recipe: recipe, kind: kind, strictness: policy.strictness)
    }

    var key: Key {
        Key(
            input: source.identity, recipe: recipe, policy: policy, timeout: timeout,
            deliversPreviews: deliversPreviews, cacheUse: cacheUse)
    }
}
