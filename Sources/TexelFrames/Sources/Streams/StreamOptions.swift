public import TexelCodecs
public import TexelPixels

/// What a caller may know better than a stream, and how far the stream is trusted.
public struct StreamOptions: Sendable, Hashable {
    /// How the colours of YUV samples are meant; `nil` lets the stream say so, or the size decide.
    public var color: YUVColor?
    /// Of the color, what is known of it alone.
    public var matrix: YUVMatrix?
    public var range: YUVRange?
    /// Frames a second where the stream says nothing; 25 without it.
    public var rate: FrameRate?
    /// What a stream may ask for.
    public var limits = Limits()
    /// How many pictures of a pipe may be in memory at once.
    public var bufferCount = 3
    /// How long a pipe may give nothing. `nil` waits for ever, and 30 seconds where another program is asked.
    public var stallLimit: Duration?

    public init() {}

    /// The colour of a stream that says no more than its range.
    ///
    /// Pictures below 720 rows are taken for BT.601, others for BT.709, as players do.
    func color(of size: PixelSize, matrix: YUVMatrix? = nil, range: YUVRange? = nil) -> YUVColor {
        color
            ?? YUVColor(
                self.matrix ?? matrix ?? (size.height < 720 ? .bt601 : .bt709), self.range ?? range ?? .limited)
    }

    /// The bytes of a picture, once its size and they are within the limits.
    ///
    /// - Throws: `codec(.limitExceeded)`, `pixels(.invalidSize)`.
    func byteCount(of layout: SampleLayout) throws(FrameError) -> Int {
        do throws(CodecError) { try limits.check(layout.size) } catch { throw .codec(error) }
        do throws(PixelBufferError) { return try layout.byteCount } catch { throw .pixels(error) }
    }
}
