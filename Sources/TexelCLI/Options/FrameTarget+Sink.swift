import ArgumentParser
import Texel
import TexelFrames

extension FrameTarget {
    /// Opens the sink.
    ///
    /// - Throws: `FrameError`; `ValidationError` for options that the format does not have.
    func makeSink(_ options: FrameOutputOptions, _ input: FrameInputOptions) throws -> any FrameSink {
        let color = YUVColorChoice(matrix: input.matrix, range: input.range)
        let quality = options.quality ?? OutputOptions.defaultQuality
        switch self {
        case .terminal: return try TerminalSink()
        case .nothing: return NullSink()
        case .sharedMemory(let path):
            #if os(Linux)
                return SharedMemorySink(path)
            #else
                throw ValidationError("--output shm:\(path) needs Linux.")
            #endif
        case .stream(let destination, let format):
            let background = options.background ?? .black
            if format == .mjpeg {
                return try MJPEGSink(
                    destination, quality: quality, subsampling: try jpegSubsampling(options), background: background)
            }
            guard let rawFormat = RawFrameFormat(rawValue: format.rawValue) else {
                return try Y4MSink(
                    destination, sampling: options.subsampling.ofY4M, color: color, background: background)
            }
            return try RawSink(destination, format: rawFormat, color: color, background: background)
        case .sequence(let pattern, let format):
            return try ImageSequenceSink(
                pattern, as: try encoding(format, options), background: options.background ?? .white,
                replaces: options.overwrite)
        case .picture(let path, let format):
            return try ImageSequenceSink(
                only: path, as: try encoding(format, options), background: options.background ?? .white,
                replaces: options.overwrite)
        }
    }

    private func encoding(_ format: ImageFormat, _ options: FrameOutputOptions) throws -> ImageEncoding {
        switch format {
        case .png: return .png(PNGOptions(effort: .fast))
        case .jpeg:
            return .jpeg(
                JPEGOptions(
                    quality: options.quality ?? OutputOptions.defaultQuality, subsampling: try jpegSubsampling(options),
                    effort: .fast))
        }
    }

    private func jpegSubsampling(_ options: FrameOutputOptions) throws -> ChromaSubsampling {
        guard let subsampling = options.subsampling.ofJPEG else {
            throw ValidationError("--subsampling \(options.subsampling.rawValue) is for Y4M only.")
        }
        return subsampling
    }
}
