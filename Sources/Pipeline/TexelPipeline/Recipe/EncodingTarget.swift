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

/// A measure of image quality that an ``EncodingTarget`` can require.
public enum TargetMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// SSIMULACRA2: up to 100, which cannot be told from the original; see `SSIMULACRA2Reference`.
    case ssimulacra2
    /// Butteraugli's 3-norm, a distance: 0 for equal images, larger for worse ones; see `ButteraugliReference`.
    case butteraugli
    /// HaarPSI: up to 1 for equal images; see `PixelBuffer.haarPSI(against:)`.
    case haarpsi

    /// The values that it can have.
    package var range: ClosedRange<Double> {
        switch self {
        case .ssimulacra2: -100...100
        case .butteraugli: 0...100
        case .haarpsi: 0...1
        }
    }

    /// The value of equal images.
    var best: Double { self == .butteraugli ? range.lowerBound : range.upperBound }

    /// A value in words: "score of 70".
    func named(_ value: Double) -> String {
        switch self {
        case .ssimulacra2: "score of \(value)"
        case .butteraugli: "Butteraugli distance of \(value)"
        case .haarpsi: "HaarPSI of \(value)"
        }
    }

    /// Rounds for display.
    func rounded(_ value: Double) -> Double {
        let unit = self == .haarpsi ? 10_000.0 : 100
        return (value * unit).rounded() / unit
    }
}
