public import TexelCodecs

/// What happened to a stream while it ran.
public enum FrameEvent: Sendable, Hashable {
    /// More damage was noticed; all of it so far.
    case damage(StreamFaults)
}
