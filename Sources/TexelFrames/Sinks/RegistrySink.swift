/// Shows a stream as a texture: each frame becomes the latest, and the registry is told.
///
/// The last frame stays to be seen after the stream has ended, until ``close()`` or the end of the sink.
public final class RegistrySink: FrameSink {
    private let registry: TextureRegistry
    private let texture: LatestFrameTexture
    /// The number by which consumers ask for the frames.
    public let id: TextureID

    public let framesKept: Int

    /// - Parameters:
    ///   - consumerCount: how many frames consumers look at, at most, beside the latest.
    ///   - onUnregistered: called once, when the texture is closed and no consumer is in the middle of a copy.
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

    public func makeWriter(for stream: FrameStream) throws(FrameError) -> any FrameWriter { Writer(sink: self) }

    /// Consumers get no more frames. Frames that come later are not shown.
    public func close() { registry.unregister(id) }

    private final class Writer: FrameWriter {
        let sink: RegistrySink

        init(sink: RegistrySink) { self.sink = sink }

        func write(_ frame: borrowing Frame) throws(FrameError) {
            // Once nobody can ask for frames, none is kept from its pool.
            guard sink.registry.frameCount(sink.id) != nil else { return }
            sink.texture.publish(frame.shared())
            if !sink.registry.textureFrameAvailable(sink.id) { sink.texture.clear() }
        }
    }
}
