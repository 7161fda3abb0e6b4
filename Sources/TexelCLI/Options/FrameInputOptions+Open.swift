import Texel
import TexelFrames

extension FrameInputOptions {
    /// Opens a source that is called by this name.
    ///
    /// - Throws: `FrameError`.
    func open(_ name: String, limits: Limits) throws(FrameError) -> any FrameSource {
        var options = StreamOptions()
        options.rate = rate?.rate
        options.limits = limits
        options.stallLimit = stallTimeout?.duration
        if name.hasPrefix("pattern:") {
            return try PatternSource(
                size: SizeArgument(argument: String(name.dropFirst(8)))?.size ?? PixelSize(width: 640, height: 360),
                rate: rate?.rate ?? .standard)
        }
        let stream: StreamInput = name == "-" ? .standardInput : .file(FilePath(name))
        if let size, let pixelFormat {
            let layout = SampleLayout(
                pixelFormat.sampleFormat(YUVColor(matrix ?? .bt601, range ?? .limited)), size.size)
            return try RawVideoSource(stream, layout: layout, options: options)
        }
        if name.hasSuffix("y4m") || name == "-" { return try Y4MSource(stream, options: options) }
        return try ImageSequenceSource(name, rate: rate?.rate ?? .standard, limits: limits)
    }
}
