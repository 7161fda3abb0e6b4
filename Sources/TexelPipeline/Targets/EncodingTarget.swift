/// What a file is to come to, instead of a quality: a score, a number of bytes, or both.
public struct EncodingTarget: Sendable, Hashable, Codable {
    /// The least SSIMULACRA2 score against the picture that is encoded; the smallest file that has it is written.
    public var score: Double?
    /// The most bytes. Without a ``score`` the best picture is written that fits; with one they only bound it.
    public var byteLimit: Int?
    /// Whether the picture may be made smaller where its bytes do not fit otherwise. It is then made smaller rather than
    /// ugly.
    public var allowsSmaller = false
    /// Whether the nearest is written where the target cannot be met; else that is an error.
    public var isBestEffort = false

    public init(score: Double? = nil, byteLimit: Int? = nil, allowsSmaller: Bool = false, isBestEffort: Bool = false) {
        self.score = score
        self.byteLimit = byteLimit
        self.allowsSmaller = allowsSmaller
        self.isBestEffort = isBestEffort
    }

    /// Whether there is anything to aim at.
    public var isSet: Bool { score != nil || byteLimit != nil }
}

/// Why an ``EncodingTarget`` cannot be met.
public enum TargetError: Error, Sendable, Hashable, Codable {
    /// Even the best encoding of the format looks worse.
    case scoreTooHigh(Double, best: Double)
    /// Even the smallest file is larger.
    case tooFewBytes(Int, smallest: Int)
    /// What fits looks worse, and what looks good enough does not fit.
    case tooFewBytesForScore(Double, Int, needed: Int)
}

extension TargetError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .scoreTooHigh(let score, let best):
            "no encoding scores \(score); the best scores \(rounded(best))"
        case .tooFewBytes(let limit, let smallest):
            "it cannot be made to fit \(limit) bytes, the smallest file has \(smallest)"
        case .tooFewBytesForScore(let score, let limit, let needed):
            "a score of \(score) takes \(needed) bytes, more than \(limit)"
        }
    }
}

/// Two decimals, as scores are read.
func rounded(_ score: Double) -> Double { (score * 100).rounded() / 100 }
