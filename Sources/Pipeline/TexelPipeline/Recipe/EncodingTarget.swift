/// A requirement on a file instead of a quality: a score, a number of bytes, or both.
public struct EncodingTarget: Sendable, Hashable, Codable {
    /// The lowest accepted value of ``metric`` against the image before encoding, or the largest accepted distance; the
    /// smallest file that reaches it is written.
    ///
    /// With SSIMULACRA2 from 40 on, Butteraugli is a guard: a file that is worse by it than libjpeg-turbo's files with
    /// the same score must have a higher score, by up to five points.
    public var score: Double?
    /// The measure of ``score``.
    public var metric = TargetMetric.ssimulacra2
    /// The maximum number of bytes. Without a ``score``, the best image that fits is written; with one, the smallest
    /// file that reaches the score must fit.
    public var byteLimit: Int?
    /// Whether the image may be scaled down if it does not fit otherwise. It is then scaled down in preference to a
    /// low quality.
    public var allowsSmaller = false
    /// Whether the nearest result is written if the target cannot be met; if not, that is an error.
    public var isBestEffort = false

    /// Makes a target; without arguments it requires nothing.
    public init(
        score: Double? = nil, metric: TargetMetric = .ssimulacra2, byteLimit: Int? = nil, allowsSmaller: Bool = false,
        isBestEffort: Bool = false
    ) {
        self.score = score
        self.metric = metric
        self.byteLimit = byteLimit
        self.allowsSmaller = allowsSmaller
        self.isBestEffort = isBestEffort
    }

    /// Whether the target requires anything.
    public var isSet: Bool { score != nil || byteLimit != nil }
}
