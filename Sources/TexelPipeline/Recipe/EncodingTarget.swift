/// A requirement on a file instead of a quality: a score, a number of bytes, or both.
public struct EncodingTarget: Sendable, Hashable, Codable {
    /// The lowest accepted SSIMULACRA2 score against the image before encoding; the smallest file that reaches it is
    /// written.
    public var score: Double?
    /// The maximum number of bytes. Without a ``score``, the best image that fits is written; with one, the smallest
    /// file that reaches the score must fit.
    public var byteLimit: Int?
    /// Whether the image may be scaled down if it does not fit otherwise. It is then scaled down in preference to a
    /// low quality.
    public var allowsSmaller = false
    /// Whether the nearest result is written if the target cannot be met; if not, that is an error.
    public var isBestEffort = false

    /// Makes a target; without arguments it requires nothing.
    public init(score: Double? = nil, byteLimit: Int? = nil, allowsSmaller: Bool = false, isBestEffort: Bool = false) {
        self.score = score
        self.byteLimit = byteLimit
        self.allowsSmaller = allowsSmaller
        self.isBestEffort = isBestEffort
    }

    /// Whether the target requires anything.
    public var isSet: Bool { score != nil || byteLimit != nil }
}
