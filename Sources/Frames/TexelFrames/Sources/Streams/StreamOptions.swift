public import TexelCodecs
import TexelCore
public import TexelPipeline
public import TexelPixels

/// Settings that override what a stream says about itself, and limits on what it may use.
public struct StreamOptions: Sendable {
    /// The matrix and range of YUV samples; `nil` uses those of the stream, or defaults by its size.
    public var color: YUVColor?
    /// The matrix alone; ignored if ``color`` is set.
    public var matrix: YUVMatrix?
    /// The range alone; ignored if ``color`` is set.
    public var range: YUVRange?
    /// The frame rate if the stream does not specify one; `nil` means 25 frames per second.
    public var rate: FrameRate?
    /// The first number of a numbered sequence of images; `nil` means the lowest that exists.
    public var firstNumber: Int?
    /// The limits for sizes and input bytes.
    public var limits = Limits()
    /// The number of images of a pipe that can be in memory at once; two more of an interlaced stream.
    public var bufferCount = 3
    /// How long to wait for input from a pipe, a URL or a camera. `nil` means no limit for pipes, else 30 seconds.
    public var stallLimit: Duration?

    /// Decodes videos in child processes without privileges, so that a fault in a decoder is an error of one video
    /// only; `nil` decodes in this process. Formats that Texel reads itself are not affected.
    public var isolation: Isolation?

    /// Creates the default settings.
    public init() {}

    /// The matrix and range to use for a stream that may not specify them.
    ///
    /// The defaults are those of ``YUVColorChoice/color(of:)``.
    func color(of size: PixelSize, matrix: YUVMatrix? = nil, range: YUVRange? = nil) -> YUVColor {
        color ?? YUVColorChoice(matrix: self.matrix ?? matrix, range: self.range ?? range).color(of: size)
    }

    /// The number of bytes of an image, after a check of its size against the limits.
    ///
    /// - Throws: `limitExceeded`, `invalidSize`.
    func byteCount(of layout: SampleLayout) throws(TexelError) -> Int {
        try limits.checkWhole(layout.size)
        return try layout.byteCount
    }
}
