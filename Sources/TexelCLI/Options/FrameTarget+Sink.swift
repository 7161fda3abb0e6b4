import Texel
import TexelFrames

extension FrameTarget {
    /// Opens the sink for the target.
    func makeSink(_ options: FrameOutputOptions, _ input: FrameInputOptions) throws(FrameError) -> any FrameSink {
        let color = YUVColorChoice(matrix: input.matrix, range: input.range)
        let quality = options.quality ?? OutputOptions.defaultQuality
        switch self {
        case .terminal: return try TerminalSink()
        case .nothing: return NullSink()
        case .sharedMemory(let path):
            #if os(Linux)
                return SharedMemorySink(path)
            #else
                throw .unsupported("shared memory on this system")
            #endif
        case .stream(let destination, let format):
            let background = options.background ?? .black
            if format == .mjpeg {
                return try MJPEGSink(
                    destination, quality: quality, subsampling: options.subsampling.ofJPEG ?? .automatic,
                    background: background)
            }
            guard let rawFormat = RawFrameFormat(rawValue: format.rawValue) else {
                return try Y4MSink(
                    destination, sampling: options.subsampling.ofY4M, color: color, background: background)
            }
            return try RawSink(destination, format: rawFormat, color: color, background: background)
        case .sequence(let pattern, let format):
            return try ImageSequenceSink(
                pattern, as: encoding(format, options), background: options.background ?? .white,
                replaces: options.overwrite)
        case .image(let path, let format):
            return try ImageSequenceSink(
                only: path, as: encoding(format, options), background: options.background ?? .white,
                replaces: options.overwrite)
        }
    }

    private func encoding(_ format: ImageFormat, _ options: FrameOutputOptions) -> ImageEncoding {
        switch format {
        case .png: .png(PNGOptions(effort: .fast))
        case .jpeg:
            .jpeg(
                JPEGOptions(
                    quality: options.quality ?? OutputOptions.defaultQuality,
                    subsampling: options.subsampling.ofJPEG ?? .automatic, effort: .fast))
        }
    }
}
