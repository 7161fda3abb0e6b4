#if LibAV

    import CLibAVShim
    package import TexelCodecs
    import TexelPixels

    /// Yields the frames of a video file or URL, decoded in this process by FFmpeg's libraries, which are loaded when
    /// they are first used. Part of the package trait `LibAV`.
    ///
    /// Frames, times and colours are those of ``FFmpegSource``, without the costs of a pipe. Damage that FFmpeg
    /// tolerates does not end the stream. A fault of a decoder ends this process, where it would only end the program
    /// ffmpeg: use ``FFmpegSource`` if that matters more than speed.
    package final class LibAVSource: FrameSource {
        private let reader: SharedReader<LibAVReader>

        /// Properties of the stream, from its headers.
        package var format: FrameFormat { reader.format }

        /// Opens the video and reads its headers.
        ///
        /// - Parameters:
        ///   - input: A path or a URL (`https://…`, `rtsp://…`).
        ///   - options: Overrides and limits; a `stallLimit` of `nil` means 30 seconds for URLs.
        ///   - stop: Ends the wait for the headers.
        /// - Throws: `codec(.missingLibrary)`; `unsupported` for cameras, videos that are turned by an angle other than
        ///   a multiple of 90°, and unknown codecs; `invalidStream`, `file(.missing)`, `codec(.limitExceeded)`,
        ///   `cannotRead`, `stalled`, `stopped`.
        package init(
            _ input: String, options: StreamOptions = StreamOptions(), stop: StopToken = StopToken()
        ) throws(FrameError) {
            reader = SharedReader(try LibAVReader(FFmpegInput(input), options, stop))
        }

        package func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? { try reader.next(stop) }

        /// The version of FFmpeg, and the file of libavcodec; loads the libraries.
        package static var library: LinkedLibrary { LoadedLibrary.libAV.description }
    }

    private struct LibAVReader: StreamReader, ~Copyable {
        let format: FrameFormat
        private let video: LibAVVideo
        private let samples: SampleLayout.Format
        private let orientation: Orientation
        private let timeBase: TimeBase
        private let limits: Limits
        /// The size of the latest frame, which is within the limits.
        private var size: PixelSize
        private var index = 0
        /// Subtracted from all times; set by the first frame.
        private var origin: Duration?

        init(_ input: FFmpegInput, _ options: StreamOptions, _ stop: StopToken) throws(FrameError) {
            guard !input.isCamera else { throw .unsupported("a camera without the program ffmpeg") }
            if let path = input.path {
                do { try path.checkExists() } catch { throw .file(error) }
            }
            try FrameError.wrapping { () throws(CodecError) in try LoadedLibrary.libAV.require() }
            // Files do not stall.
            let stallLimit = input.path == nil ? options.stallLimit ?? StreamOptions.videoStallLimit : nil
            let video = try LibAVVideo(input.address, stallLimit: stallLimit, limits: options.limits, stop)
            let headers = video.headers
            guard let size = headers.description.size, size.isPositive else {
                throw .invalidStream("the video has no size")
            }
            try FrameError.wrapping { () throws(CodecError) in try options.limits.checkWhole(size) }
            guard let orientation = headers.orientation else {
                throw .unsupported("a video that is turned by an angle other than a multiple of 90°")
            }
            guard let timeBase = headers.timeBase else { throw .invalidStream("the video has no clock") }
            let conversion = FFmpegConversion(for: headers.description, forced: options.color)
            let color = conversion.color(overriddenBy: options)
            let samples = try conversion.samples(color)
            try video.start(conversion)
            self.video = video
            self.samples = samples
            format = FrameFormat(
                size: orientation.applied(to: size), rate: headers.description.rate ?? options.rate,
                isLive: input.isLive, color: color)
            self.orientation = orientation
            self.timeBase = timeBase
            self.size = size
            limits = options.limits
        }

        mutating func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
            guard let frame = try video.next(stop) else { return nil }
            if frame.size != size {
                try FrameError.wrapping { () throws(CodecError) in try limits.checkWhole(frame.size) }
                size = frame.size
            }
            guard let time = timeBase.time(of: frame.tick) else {
                throw .invalidStream("frame \(index) of the video has an invalid time")
            }
            let origin = origin ?? min(.zero, time)
            self.origin = origin
            guard let planes = frame.planes(SampleLayout(samples, size), orientation) else {
                throw .invalidStream("frame \(index) of the video is incomplete")
            }
            defer { index += 1 }
            return SourceFrame(.planes(planes), time: time - origin, index: index)
        }
    }

    extension FFmpegConversion {
        /// The samples of converted frames.
        ///
        /// - Parameter color: How YUV samples are interpreted.
        /// - Throws: `unsupported` for a pixel format that no conversion has.
        fileprivate func samples(_ color: YUVColor?) throws(FrameError) -> SampleLayout.Format {
            guard let color else { return .bgra }
            switch pixelFormat {
            case "yuv420p", "yuvj420p": return .yuv(.i420, color)
            case "yuv422p", "yuvj422p": return .yuv(YUVFormat(.yuv422), color)
            case "yuv444p", "yuvj444p": return .yuv(YUVFormat(.yuv444), color)
            case "nv12": return .yuv(.nv12, color)
            case "gray": return .yuv(YUVFormat(.none), color)
            default: throw .unsupported("the pixel format \(pixelFormat)")
            }
        }
    }

#endif
