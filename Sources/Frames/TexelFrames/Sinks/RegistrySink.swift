public import TexelCore

/// Shows a stream as a texture: publishes each frame and announces it to a registry.
///
/// The last frame stays visible after the stream has ended, until ``close()`` or the release of the sink.
public final class RegistrySink: FrameSink {
    private let registry: TextureRegistry
    private let texture: LatestFrameTexture
    /// The identifier of the texture, by which consumers get the frames.
    public let id: TextureID

    public let framesKept: Int

    /// Registers a texture.
    ///
    /// - Parameters:
    ///   - registry: The registry.
    ///   - consumerCount: The maximum number of frames that consumers hold in addition to the latest.
    ///   - onUnregistered: Called once, after the texture was closed and the last running copy has ended.
    public init(
        _ registry: TextureRegistry, consumerCount: Int = 1, onUnregistered: (@Sendable () -> Void)? = nil
    ) {
        self.registry = registry
        framesKept = 1 + max(0, consumerCount)
        texture = LatestFrameTexture(onUnregistered: onUnregistered)
        id = registry.register(texture)
    }

    deinit { close() }

    public var isLive: Bool { true }

    public func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter { Writer(sink: self) }

    /// Unregisters the texture. Later frames are discarded.
    public func close() { registry.unregister(id) }

    private final class Writer: FrameWriter {
        let sink: RegistrySink

        init(sink: RegistrySink) { self.sink = sink }

        func write(_ frame: borrowing Frame) throws(TexelError) {
            // After unregistration, do not keep frames from their pool.
            guard sink.registry.frameCount(sink.id) != nil else { return }
            sink.texture.publish(frame.shared())
            if !sink.registry.textureFrameAvailable(sink.id) { sink.texture.clear() }
        }
    }
}
