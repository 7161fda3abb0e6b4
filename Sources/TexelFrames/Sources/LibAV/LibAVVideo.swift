#if LibAV

    import CLibAVShim
    import SystemPackage
    import TexelCodecs
    import TexelPixels

    /// A video that FFmpeg's libraries read. Used by one thread at a time.
    ///
    /// Unchecked because of the pointer: the object behind it belongs to this one alone.
    final class LibAVVideo: @unchecked Sendable {
        private let video: OpaquePointer
        private let patience: InputPatience

        /// What the headers say.
        struct Headers {
            var description: VideoDescription
            /// `nil` unless both terms are positive.
            var timeBase: TimeBase?
            /// How the stored image is displayed; `nil` if it is turned by an angle that is not a multiple of 90°.
            var orientation: Orientation?
        }

        /// Opens a video and reads its headers. The libraries must be loaded.
        ///
        /// - Parameters:
        ///   - address: The input by the name that FFmpeg understands.
        ///   - stallLimit: How long each wait for input may take; `nil` for no limit.
        init(
            _ address: String, stallLimit: Duration?, limits: Limits, _ stop: StopToken
        ) throws(FrameError) {
            let patience = InputPatience(limit: stallLimit)
            patience.begin(stop)
            var opened: OpaquePointer?
            var failure = texel_video_failure()
            let status = texel_video_open(
                address, { InputPatience.isOver($0) }, Unmanaged.passUnretained(patience).toOpaque(),
                Int64(clamping: limits.pixels), &opened, &failure)
            guard let opened else { throw FrameError(status, &failure, patience) }
            video = opened
            // Outlives the video, which holds a pointer to it.
            self.patience = patience
        }

        deinit { texel_video_close(video) }

        /// What the headers say.
        var headers: Headers {
            let found = texel_video_describe(video)
            return Headers(
                description: VideoDescription(found),
                timeBase: TimeBase(seconds: Int(found.time_base.numerator), ticks: Int(found.time_base.denominator)),
                orientation: Orientation(rawValue: Int(found.orientation)))
        }

        /// Starts the decoder.
        func start(_ conversion: FFmpegConversion) throws(FrameError) {
            var failure = texel_video_failure()
            let colors = conversion.colors
            let status = conversion.pixelFormat.withCString { pixelFormat in
                (colors?.matrices?.input).withOptionalCString { input in
                    (colors?.matrices?.output).withOptionalCString { output in
                        var request = texel_video_conversion(
                            pixel_format: pixelFormat, input_matrix: input, output_matrix: output,
                            input_range: Self.number(colors?.inputRange), output_range: Self.number(colors?.outputRange)
                        )
                        return texel_video_start(video, &request, &failure)
                    }
                }
            }
            guard status == TEXEL_VIDEO_OK else { throw FrameError(status, &failure, patience) }
        }

        private static func number(_ range: YUVRange?) -> Int32 {
            switch range {
            case .limited: 0
            case .full: 1
            case nil: -1
            }
        }

        /// Decodes the next frame; `nil` at the end of the stream.
        func next(_ stop: StopToken) throws(FrameError) -> LibAVFrame? {
            guard !stop.isStopped else { throw .stopped }
            patience.begin(stop)
            var frame: OpaquePointer?
            var failure = texel_video_failure()
            let status = texel_video_next(video, &frame, &failure)
            if let frame { return LibAVFrame(frame) }
            guard status == TEXEL_VIDEO_END else { throw FrameError(status, &failure, patience) }
            return nil
        }
    }

    /// A decoded frame.
    ///
    /// Unchecked because of the pointer: nothing writes to the frame behind it.
    final class LibAVFrame: @unchecked Sendable {
        private let frame: OpaquePointer
        let size: PixelSize
        /// When the frame is shown, in ticks of the stream.
        let tick: Int

        /// Takes over a frame.
        fileprivate init(_ frame: OpaquePointer) {
            self.frame = frame
            var (width, height): (Int32, Int32) = (0, 0)
            texel_video_frame_size(frame, &width, &height)
            size = PixelSize(width: Int(width), height: Int(height))
            tick = Int(texel_video_frame_tick(frame))
        }

        deinit { texel_video_frame_free(frame) }

        /// The planes, which keep this object; `nil` if one of them is smaller than the layout says.
        func planes(_ layout: SampleLayout, _ orientation: Orientation) -> DecodedPlanes? {
            var planes: [PlaneRows] = []
            for (index, plane) in layout.planes.enumerated() {
                let found = texel_video_frame_plane(frame, Int32(index))
                guard let samples = found.samples, found.bytes_per_row >= plane.bytesPerRow,
                    found.height >= plane.rowCount
                else { return nil }
                planes.append(PlaneRows(base: samples, bytesPerRow: found.bytes_per_row))
            }
            return DecodedPlanes(layout, orientation, planes, owner: self)
        }
    }

    extension InputPatience {
        /// The question of FFmpeg's libraries, whose context is an object of this class.
        fileprivate static func isOver(_ context: UnsafeMutableRawPointer?) -> Bool {
            guard let context else { return false }
            return Unmanaged<InputPatience>.fromOpaque(context).takeUnretainedValue().end != nil
        }
    }

    extension VideoDescription {
        fileprivate init(_ found: texel_video_description) {
            func rate(_ fraction: texel_video_fraction) -> FrameRate? {
                FrameRate(Int(fraction.numerator), per: Int(fraction.denominator))
            }
            pixelFormat = found.pixel_format.map { String(cString: $0) }
            size = PixelSize(width: Int(found.width), height: Int(found.height))
            self.rate = rate(found.average_rate) ?? rate(found.base_rate)
            matrix = found.matrix.map { String(cString: $0) }
            range = found.range == 1 ? .full : found.range == 0 ? .limited : nil
        }
    }

    extension FrameError {
        fileprivate init(
            _ status: texel_video_status, _ failure: inout texel_video_failure, _ patience: InputPatience
        ) {
            let message = withUnsafeBytes(of: &failure.message) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            self =
                switch status {
                case TEXEL_VIDEO_NO_VIDEO: .invalidStream("the input has no video stream")
                case TEXEL_VIDEO_UNSUPPORTED: .unsupported(message)
                case TEXEL_VIDEO_INTERRUPTED: patience.end ?? .stopped
                case TEXEL_VIDEO_OUT_OF_MEMORY: .cannotRead(.noMemory)
                case TEXEL_VIDEO_SYSTEM: .cannotRead(Errno(rawValue: failure.system_error))
                default: .invalidStream("the video cannot be read: \(message)")
                }
        }
    }

    extension Optional<String> {
        fileprivate func withOptionalCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
            switch self {
            case .some(let text): text.withCString { body($0) }
            case nil: body(nil)
            }
        }
    }

#endif
