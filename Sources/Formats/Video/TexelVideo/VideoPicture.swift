import CLibAVShim
package import TexelCodecs
package import TexelCore
package import TexelPixels

/// The size and format of a decoded frame's samples, and their colours.
package struct VideoPicture: Sendable, Hashable, Codable {
    /// The size in pixels, as stored.
    package var size: PixelSize
    /// The resolution of chroma, as in `ChromaSampling`; `nil` for bytes B, G, R, A.
    private var sampling: String?
    private var isInterleaved: Bool
    private var bitDepth: Int
    private var hasAlpha: Bool
    /// How samples become colours.
    package var colors: VideoColors
    /// The shape of the pixels.
    private var aspect: PixelAspect
    /// How the stored image is displayed; `nil` if it is turned by an angle that is not a multiple of 90°.
    package var orientation: Orientation?
    /// The order of fields; `nil` for a progressive frame.
    package var fields: FieldOrder?
    /// When the frame is shown, in ticks from the start of the input.
    package var tick: Int
    /// How long the frame is shown, in ticks; `nil` if unknown.
    package var durationTicks: Int?

    init(_ found: texel_video_picture) {
        size = PixelSize(width: Int(found.width), height: Int(found.height))
        let sampling: ChromaSampling? =
            switch found.samples {
            case TEXEL_SAMPLES_GRAY: ChromaSampling.none
            case TEXEL_SAMPLES_420: .yuv420
            case TEXEL_SAMPLES_422: .yuv422
            case TEXEL_SAMPLES_444: .yuv444
            default: nil
            }
        self.sampling = sampling?.rawValue
        isInterleaved = found.is_interleaved
        bitDepth = Int(found.depth)
        hasAlpha = found.has_alpha
        colors = VideoColors(found.colors)
        if colors.isFullRange == nil, found.is_full_range_by_format { colors.isFullRange = true }
        aspect = PixelAspect(found.aspect)
        orientation = Orientation(rawValue: Int(found.orientation))
        fields = FieldOrder(found.fields)
        tick = Int(found.tick)
        durationTicks = found.duration > 0 ? Int(found.duration) : nil
    }

    /// Interprets the samples.
    ///
    /// - Parameters:
    ///   - matrix: The matrix to apply instead of the frame's own.
    ///   - range: The range to assume instead of the frame's own.
    /// - Throws: `unsupported` for a matrix that is no linear function.
    package func layout(matrix: YUVMatrix? = nil, range: YUVRange? = nil) throws(TexelError) -> SampleLayout {
        guard let sampling = sampling.flatMap({ ChromaSampling(rawValue: $0) }) else {
            return SampleLayout(.bgra, size, aspect: aspect)
        }
        // Grey has no matrix.
        guard let matrix = matrix ?? (sampling == .none ? .bt709 : colors.yuvMatrix(for: size)) else {
            throw .unsupported("the colour matrix of the video, \(colors.matrixName),")
        }
        let color = YUVColor(
            matrix, range ?? (colors.isFullRange == true ? .full : .limited), codePoints: colors.converted)
        let format = YUVFormat(sampling, isInterleaved: isInterleaved, bitDepth: bitDepth, hasAlpha: hasAlpha)
        return SampleLayout(.yuv(format, color), size, aspect: aspect)
    }
}
