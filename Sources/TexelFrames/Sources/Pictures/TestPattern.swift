public import TexelPixels

/// A picture to test with, drawn for a moment of its stream.
public struct TestPattern: Sendable, Hashable {
    public var size: PixelSize
    /// The number of the frame, which moves what moves.
    public var step: Int

    public init(size: PixelSize, step: Int) {
        self.size = size
        self.step = step
    }
}
