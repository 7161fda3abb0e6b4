/// What a registry asks of a producer: the contract of Flutter's `FlutterTexture`.
public protocol Texture: AnyObject, Sendable {
    /// A hold of the latest complete frame; `nil` while there is none.
    ///
    /// Called by any thread, several at a time; should neither wait nor copy pixels.
    func copyPixelBuffer() -> Frame?

    /// Nobody will ask for frames any more. Called once for each registration, after its last running copy, by the
    /// thread that unregisters or by the one that copied last.
    func textureUnregistered()
}

/// The name of a texture that is registered. No other texture of the same registry ever has it.
public struct TextureID: RawRepresentable, Sendable, Hashable {
    /// Positive.
    public let rawValue: Int64

    /// Any number may come from outside; a registry knows those it gave.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

extension TextureID: CustomStringConvertible {
    public var description: String { "\(rawValue)" }
}
