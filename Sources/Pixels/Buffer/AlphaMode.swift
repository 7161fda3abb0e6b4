/// The meaning of a pixel's alpha byte.
public enum AlphaMode: Sendable, Hashable, Codable {
    /// Every alpha byte is 255.
    case opaque
    /// The colour bytes are independent of alpha, as in image files.
    case straight
    /// The colour bytes are multiplied by alpha, as filters need them.
    case premultiplied

    /// The pixel in place of one that a damaged file does not have: black, or transparent if there is alpha.
    package var missingPixel: UInt32 { self == .opaque ? 0xFF00_0000 : 0 }
}
