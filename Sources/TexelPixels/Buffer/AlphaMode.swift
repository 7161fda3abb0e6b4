/// What the alpha byte of a pixel means.
public enum AlphaMode: Sendable, Hashable, Codable {
    /// Every alpha byte is 255.
    case opaque
    /// The colour bytes are independent of alpha, as files store them.
    case straight
    /// The colour bytes are already multiplied by alpha, as filters need them.
    case premultiplied
}
