import Texel
import TexelFrames

/// Plays a video into a texture, which always holds the latest frame.
func play(_ video: String, in registry: TextureRegistry) throws -> (TextureID, FrameRun) {
    let source = try FrameSourceFactory.open(video).paced()
    let texture = RegistrySink(registry)
    let recipe = Recipe().resizing(width: 640).flipping(.horizontal)
    return (texture.id, try FramePipeline(from: source, recipe, into: texture).start())
}

/// Copies the latest frame of a texture.
func draw(_ id: TextureID, of registry: TextureRegistry, into pixels: UnsafeMutableRawBufferPointer) {
    guard let frame = registry.copyPixelBuffer(id) else { return }
    frame.withUnsafeBytes { bgra in pixels.copyMemory(from: bgra) }
}
