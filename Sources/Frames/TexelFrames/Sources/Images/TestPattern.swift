public import TexelPixels

/// A test image, generated for one frame of a stream.
public struct TestPattern: Sendable, Hashable {
    /// The size in pixels.
    public var size: PixelSize
    /// The frame number, which also sets the position of moving parts.
    public var step: Int

    /// Creates a test pattern for a frame number.
    public init(size: PixelSize, step: Int) {
        self.size = size
        self.step = step
    }
}
