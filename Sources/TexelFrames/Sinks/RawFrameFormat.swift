public import TexelPixels

/// The sample format of uncompressed frames in a stream without headers.
public enum RawFrameFormat: String, Sendable, Hashable, CaseIterable {
    /// Four bytes per pixel, with straight alpha.
    case bgra, rgba
    /// Planes of Y, U and V, 4:2:0.
    case i420
    /// A plane of Y, then a plane of interleaved U and V, 4:2:0.
    case nv12

    /// The corresponding layout format; `color` is used by YUV formats only.
    public func sampleFormat(_ color: YUVColor) -> SampleLayout.Format {
        switch self {
        case .bgra: .bgra
        case .rgba: .rgba
        case .i420: .yuv(.i420, color)
        case .nv12: .yuv(.nv12, color)
        }
    }
}

/// The matrix and range requested for a YUV output; `nil` uses the source's, or a default by the size.
public struct YUVColorChoice: Sendable, Hashable {
    /// The matrix; `nil` if not requested.
    public var matrix: YUVMatrix?
    /// The range; `nil` if not requested.
    public var range: YUVRange?

    /// Creates a choice.
    public init(matrix: YUVMatrix? = nil, range: YUVRange? = nil) {
        self.matrix = matrix
        self.range = range
    }

    /// The matrix and range for a stream. The defaults are BT.601 below 720 rows, BT.709 above, and limited range.
    public func color(for stream: FrameStream) -> YUVColor {
        YUVColor(
            matrix ?? stream.color?.matrix ?? (stream.size.height < 720 ? .bt601 : .bt709),
            range ?? stream.color?.range ?? .limited)
    }
}
