/// A source of frames that a ``TextureRegistry`` reads from; the same contract as Flutter's `FlutterTexture`.
public protocol Texture: AnyObject, Sendable {
    /// Returns a shared hold of the latest complete frame; `nil` if there is none yet.
    ///
    /// Called from any thread, also concurrently. It should neither block nor copy pixels.
    func copyPixelBuffer() -> Frame?

    /// Called once for each registration, after its last running ``copyPixelBuffer()``: by the thread that unregisters,
    /// or by the one whose copy ended last. No calls for that registration follow.
    func textureUnregistered()
}

/// The identifier of a registered texture; unique within its registry.
public struct TextureID: RawRepresentable, Sendable, Hashable {
    /// Always positive for registered textures.
    public let rawValue: Int64

    /// Creates an identifier from a number, for example one that Flutter passed back. A registry ignores unknown ones.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

extension TextureID: CustomStringConvertible {
    public var description: String { "\(rawValue)" }
}
