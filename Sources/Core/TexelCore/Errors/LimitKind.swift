/// Identifies a limit on what an input may require.
public enum LimitKind: String, Sendable, Hashable, Codable, CaseIterable {
    case pixels
    case side
    case inputBytes
    case plannedBytes
    case inflatedBytes
    case metadataBytes
    case chunks
    case scans
    case frames
    case warnings
    case codecBytes

    /// The subject of a message: what exceeds the limit.
    fileprivate func amount(_ value: Int) -> String {
        switch self {
        case .pixels: "an image of \(value) pixels"
        case .side: "an image side of \(value) pixels"
        case .inputBytes: "an input of at least \(value) bytes"
        case .plannedBytes: "planned memory of \(value) bytes"
        case .inflatedBytes: "decompressed data of \(value) bytes"
        case .metadataBytes: "metadata of \(value) bytes"
        case .chunks: "a file of \(value) chunks or segments"
        case .scans: "a file of \(value) scans"
        case .frames: "an animation of \(value) frames"
        case .warnings: "a total of \(value) decoder warnings"
        case .codecBytes: "codec memory of \(value) bytes"
        }
    }
}

extension TexelError {
    /// The input exceeds a limit.
    public static func limitExceeded(_ kind: LimitKind, value: Int, allowed: Int) -> TexelError {
        TexelError(.limitExceeded(kind), "\(kind.amount(value)) exceeds the limit of \(allowed)")
    }
}
