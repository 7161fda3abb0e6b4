/// A block of metadata that a policy keeps, but that is not written.
package struct MetadataLoss: Sendable, Hashable, Codable {
    /// Why a block is not written.
    package enum Reason: Sendable, Hashable, Codable {
        /// It cannot be read, so its values cannot be corrected for the written pixels.
        case damaged
        /// The format has no place for it; the value is the name of the format.
        case noPlace(in: String)
        /// It is larger than the format allows.
        case tooLarge(for: String, limit: Int)
        /// It is larger than ``Limits/metadataBytes``.
        case exceedsLimit(Int)
        /// Texel does not read it, so its values cannot be corrected for the written pixels.
        case unreadForm
    }

    /// The name of the block, such as "EXIF".
    package let block: String
    /// The size of the block in bytes; `nil` for a single value.
    package let byteCount: Int?
    package let reason: Reason

    package init(_ block: String, byteCount: Int?, _ reason: Reason) {
        (self.block, self.byteCount, self.reason) = (block, byteCount, reason)
    }

    // The names of the blocks.
    package static let exif = "EXIF"
    package static let xmp = "XMP"
    package static let extendedXMP = "extended XMP"
    static let iptc = "IPTC"
    package static let text = "text"
    package static let density = "the density"
    package static let orientation = "the orientation"
}

extension MetadataLoss: CustomStringConvertible {
    /// A warning, such as "EXIF of 70000 bytes was dropped: a JPEG holds at most 65527 bytes".
    package var description: String {
        block + (byteCount.map { " of \($0) bytes" } ?? "") + " was dropped: \(reason)"
    }
}

extension MetadataLoss.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged: "it is damaged"
        case .noPlace(let format): "\(format) has no place for it"
        case .tooLarge(let format, let limit): "\(format) holds at most \(limit) bytes"
        case .exceedsLimit(let limit): "it exceeds the limit of \(limit) bytes for metadata"
        case .unreadForm: "it may not fit the written pixels"
        }
    }
}
