#if Video
    import Synchronization
    public import SystemPackage
    public import TexelCodecs
    public import TexelCore
    import TexelPipeline
    public import TexelPixels
    import TexelVideo

    /// Writes the frames of a stream as a video: H.264 in MPEG-4, QuickTime or Matroska, or VP9 in WebM. The file
    /// appears when the stream has ended.
    ///
    /// Frames keep their times. All must have the size of the first; a video has no alpha.
    public final class VideoSink: FrameSink {
        private let path: FilePath
        private let container: VideoContainer
        private let quality: Int
        private let background: PixelColor
        private let file: UnfinishedFile
        private let state = Mutex(State())

        private struct State {
            var video: VideoWriter?
            /// The start of the last frame, and how long it is shown.
            var last: (time: Duration, duration: Duration?)?
            var interval = FrameRate.standard.interval
        }

        /// - Parameters:
        ///   - path: The file.
        ///   - container: The kind of file.
        ///   - quality: 1…100.
        ///   - background: The colour behind transparent pixels.
        ///   - replaces: Whether an existing file may be replaced.
        ///   - inputs: Files that are never replaced, such as that of the source.
        /// - Throws: `alreadyExists`, `isInput`, `cannotCreate`, `cannotWrite`.
        public init(
            _ path: FilePath, as container: VideoContainer, quality: Int = 80, background: PixelColor = .black,
            replaces: Bool = false, inputs: [FilePath] = []
        ) throws(TexelError) {
            self.path = path
            self.container = container
            self.quality = quality
            self.background = background
            let replacement = Replacement(overwrites: replaces, except: inputs)
            if let refusal = replacement.refusal(of: path, FileStatus(path)) { throw refusal }
            file = try UnfinishedFile(path, replacing: replacement)
        }

        public var isEncoder: Bool { true }

        /// - Throws: `unsupported` if this FFmpeg does not have the encoder.
        public func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter {
            let color = YUVColorChoice().color(of: stream.size)
            try state.withLock { (state) throws(TexelError) in
                guard state.video == nil else { return }
                if let rate = stream.rate { state.interval = rate.interval }
                state.video = try VideoWriter(
                    to: file.descriptor, container, size: stream.size, rate: stream.rate, color: color,
                    quality: quality)
            }
            let layout = SampleLayout(.yuv(.i420, color), stream.size)
            return Writer(self, try SampleConverter(layout, background: background))
        }

        private func append(
            _ planes: UnsafeRawBufferPointer, at time: Duration, for duration: Duration?
        ) throws(TexelError) {
            try state.withLock { (state) throws(TexelError) in
                do throws(TexelError) {
                    try state.video?.append(planes, at: time)
                } catch {
                    throw named(error)
                }
                state.last = (time, duration)
            }
        }

        /// Names the file in an error of the system.
        private func named(_ error: TexelError) -> TexelError {
            error.systemError.map { .cannotWrite(path, Errno(rawValue: $0)) } ?? error
        }

        public func finish() throws(TexelError) {
            try state.withLock { (state) throws(TexelError) in
                guard let last = state.last else { throw .cannotEncode("a video without frames") }
                do throws(TexelError) {
                    try state.video?.finish(showingLastFor: last.duration ?? state.interval)
                } catch {
                    throw named(error)
                }
                // Frees the encoder.
                state.video = nil
            }
            try file.install()
        }

        private final class Writer: FrameWriter {
            private let sink: VideoSink
            private let converter: SampleConverter

            init(_ sink: VideoSink, _ converter: SampleConverter) { (self.sink, self.converter) = (sink, converter) }

            func prepare(_ frame: borrowing Frame) throws(TexelError) { try converter.convert(frame) }

            func write(_ frame: borrowing Frame) throws(TexelError) {
                let (time, duration) = (frame.time, frame.duration)
                try converter.withUnsafeBytes { (bytes) throws(TexelError) in
                    try sink.append(bytes, at: time, for: duration)
                }
            }
        }
    }
#endif
