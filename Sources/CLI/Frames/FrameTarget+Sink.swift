import Texel
import TexelCore
import TexelFrames

extension FrameTarget {
    /// Opens the sink for the target.
    ///
    /// - Parameters:
    ///   - inputs: files that are never replaced.
    ///   - stop: ends the wait for the reader of a pipe.
    func makeSink(
        _ options: FrameOutputOptions, _ input: FrameInputOptions, inputs: [FilePath], stop: StopToken
    ) throws(TexelError) -> any FrameSink {
        let color = YUVColorChoice(matrix: input.matrix, range: input.range)
        let quality = options.quality ?? OutputOptions.defaultQuality
        switch self {
        case .terminal: return try TerminalSink(stop: stop)
        case .nothing: return NullSink()
        case .sharedMemory(let path):
            #if os(Linux)
                return SharedMemorySink(path)
            #else
                throw .unsupported("shared memory on this system")
            #endif
        case .stream(let destination, let format):
            if case .file(let path, _) = destination, inputs.contains(where: path.isSameFile(as:)) {
                throw .isInput(path)
            }
            let background = options.background ?? .black
            if format == .mjpeg {
                return try MJPEGSink(
                    destination, quality: quality, subsampling: options.subsampling?.ofImages ?? .automatic,
                    background: background, stop: stop)
            }
            guard let rawFormat = RawFrameFormat(rawValue: format.rawValue) else {
                return try Y4MSink(
                    destination, sampling: (options.subsampling ?? .auto).ofY4M, color: color, background: background,
                    stop: stop)
            }
            return try RawSink(destination, format: rawFormat, color: color, background: background, stop: stop)
        case .sequence(let pattern, let format):
            return try ImageSequenceSink(
                pattern, as: try encoding(format, options), background: options.background ?? .white,
                replaces: options.overwrite, inputs: inputs)
        case .video(let path, let container):
            #if Video
                return try VideoSink(
                    path, as: container, quality: quality, background: options.background ?? .black,
                    replaces: options.overwrite, inputs: inputs)
            #else
                throw .unsupported("writing videos, in a build without the package trait Video,")
            #endif
        case .animation(let path, let format):
            return try AnimationSink(
                path, as: try encoding(format, options), playCount: options.plays ?? 0, replaces: options.overwrite,
                inputs: inputs, stop: stop)
        case .image(let path, let format):
            return try ImageSequenceSink(
                only: path, as: try encoding(format, options), background: options.background ?? .white,
                replaces: options.overwrite, inputs: inputs)
        }
    }

    private func encoding(
        _ format: ImageFormat, _ options: FrameOutputOptions
    ) throws(TexelError) -> ImageEncoding {
        let settings = EncodingSettings(
            quality: options.quality, isLossless: options.lossless,
            subsampling: options.subsampling?.ofImages ?? .automatic, effort: options.effort ?? .fast)
        guard let encoding = format.encoding(settings) else { throw .unsupported("writing \(format.displayName)") }
        return encoding
    }
}
