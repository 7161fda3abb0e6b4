public import TexelCodecs
public import TexelPixels

/// Settings that override what a stream says about itself, and limits on what it may use.
public struct StreamOptions: Sendable, Hashable {
    /// The matrix and range of YUV samples; `nil` uses those of the stream, or defaults by its size.
    public var color: YUVColor?
    /// The matrix alone; ignored if ``color`` is set.
    public var matrix: YUVMatrix?
    /// The range alone; ignored if ``color`` is set.
    public var range: YUVRange?
    /// The frame rate if the stream does not specify one; `nil` means 25 frames per second.
    public var rate: FrameRate?
    /// The limits for sizes and input bytes.
    public var limits = Limits()
    /// The number of images of a pipe that can be in memory at once; two more of an interlaced stream.
    public var bufferCount = 3
    /// How long to wait for input from a pipe or a URL. `nil` means no limit, or 30 seconds if FFmpeg provides the
    /// frames.
    public var stallLimit: Duration?
    /// The limit for FFmpeg by default.
    static let videoStallLimit = Duration.seconds(30)

    /// Creates the default settings.
    public init() {}

    /// The matrix and range to use for a stream that may not specify them.
    ///
    /// The defaults are BT.601 below 720 rows, BT.709 above, as in common players, and limited range.
    func color(of size: PixelSize, matrix: YUVMatrix? = nil, range: YUVRange? = nil) -> YUVColor {
        color
            ?? YUVColor(
                self.matrix ?? matrix ?? (size.height < 720 ? .bt601 : .bt709), self.range ?? range ?? .limited)
    }

    /// The number of bytes of an image, after a check of its size against the limits.
    ///
    /// - Throws: `codec(.limitExceeded)`, `pixels(.invalidSize)`.
    func byteCount(of layout: SampleLayout) throws(FrameError) -> Int {
        do throws(CodecError) { try limits.checkWhole(layout.size) } catch { throw .codec(error) }
        do throws(PixelBufferError) { return try layout.byteCount } catch { throw .pixels(error) }
    }
}
