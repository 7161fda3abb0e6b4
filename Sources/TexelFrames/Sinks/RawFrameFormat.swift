public import TexelPixels

/// How the bytes of uncoded frames lie in a stream that says nothing of itself.
public enum RawFrameFormat: String, Sendable, Hashable, CaseIterable {
    /// Four bytes a pixel, alpha straight.
    case bgra, rgba
    /// Planes of Y, U and V.
    case i420
    /// A plane of Y, then one of U and V in turns.
    case nv12

    /// The layout's format; `color` counts for YUV only.
    public func sampleFormat(_ color: YUVColor) -> SampleLayout.Format {
        switch self {
        case .bgra: .bgra
        case .rgba: .rgba
        case .i420: .yuv(.i420, color)
        case .nv12: .yuv(.nv12, color)
        }
    }
}

/// What of a YUV stream's colours is asked for; the rest follows the source, then habit.
public struct YUVColorChoice: Sendable, Hashable {
    public var matrix: YUVMatrix?
    public var range: YUVRange?

    public init(matrix: YUVMatrix? = nil, range: YUVRange? = nil) {
        self.matrix = matrix
        self.range = range
    }

    /// The colours of a stream: BT.601 below 720 rows and BT.709 from there on, limited, where nobody says otherwise.
    public func color(for stream: FrameStream) -> YUVColor {
        YUVColor(
            matrix ?? stream.color?.matrix ?? (stream.size.height < 720 ? .bt601 : .bt709),
            range ?? stream.color?.range ?? .limited)
    }
}
