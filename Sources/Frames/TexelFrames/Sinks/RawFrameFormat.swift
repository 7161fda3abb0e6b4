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
