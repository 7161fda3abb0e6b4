public import TexelCodecs

/// An event of a running stream.
public enum FrameEvent: Sendable, Hashable {
    /// More damage was noticed; all of it so far.
    case damage(StreamFaults)
}
