/// The limits of a decoder, and the damage that it accepts.
public struct DecodePolicy: Sendable, Hashable, Codable {
    /// The limits on the file and on memory.
    public var limits: Limits
    /// How much damage is accepted.
    public var strictness: Strictness

    /// Creates a policy; by default with the default limits, and rejecting missing rows.
    public init(limits: Limits = Limits(), strictness: Strictness = .truncated) {
        self.limits = limits
        self.strictness = strictness
    }
}

/// How much damage a decoder accepts.
public enum Strictness: String, Sendable, Hashable, Codable, CaseIterable {
    /// Accepts anything that can be decoded.
    case none
    /// Rejects missing rows; accepts minor defects and damaged pixels.
    case truncated
    /// Also rejects damaged pixels.
    case error
    /// Rejects every warning.
    case warning
}
