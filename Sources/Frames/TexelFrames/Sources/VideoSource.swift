import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelPipeline
import TexelPixels

#if Video
    import TexelVideo

    /// Yields the frames of a video file, stream, URL or camera, decoded by FFmpeg's libraries, which are loaded when
    /// they are first used. Part of the package trait `Video`.
    ///
    /// Each frame says what its samples mean: matrix, range, high dynamic range, alpha, the shape of pixels, turn and
    /// order of fields; they may change in the middle. Damage does not end the stream: see `faults`.
    ///
    /// No other file is opened, whatever the input says. A fault of a decoder ends this process: read videos of
    /// strangers through an `Isolation` (``StreamOptions/isolation``).
    public final class VideoSource: SeekableFrameSource, FaultReporting {
        /// Properties of the stream, from its headers.
        public let format: FrameFormat
        /// The properties in the headers.
        public let info: VideoInfo
        private let reader: Monitor<Reader?>
        private let noticed = Monitor(StreamFaults())

        /// Opens a file, a URL or a camera, and reads the headers.
        ///
        /// - Parameters:
        ///   - input: A path, a URL (`https://…`, `rtsp://…`) or a camera (`/dev/video0`).
        ///   - options: Overrides and limits; a `stallLimit` of `nil` means 30 seconds for URLs and cameras.
        ///   - stop: Ends the wait for the headers.
        /// - Throws: `missingLibrary`; `unsupported` for unknown codecs; `invalidStream`, `missingFile`,
        ///   `limitExceeded`, `streamFailed`, `stalled`, `stopped`.
        public convenience init(
            _ input: String, options: StreamOptions = StreamOptions(), stop: StopToken = StopToken()
        ) throws(TexelError) {
            let address = VideoAddress(input)
            guard let path = address.path else {
                guard options.isolation == nil else {
                    throw .unsupported("an address or a camera in a process without privileges")
                }
                if address.isCamera {
                    try FilePath(input).checkExists()
                }
                let video = address.isCamera ? VideoInput.camera(input) : .address(input)
                try self.init(
                    video, isLive: address.isLive, options, stallLimit: options.stallLimit ?? .seconds(30), stop)
                return
            }
            try path.checkExists()
            let stream = try ByteStream(.file(path), stallLimit: options.stallLimit)
            try self.init(stream, name: path.lastComponent?.string, options: options, stop: stop)
        }

        /// Opens a stream of bytes, of which none has been taken.
        convenience init(
            _ stream: consuming ByteStream, name: String?, options: StreamOptions, stop: StopToken
        ) throws(TexelError) {
            if let isolation = options.isolation {
                let head = stream.file == nil ? stream.firstBytes(stream.bufferedCount) : nil
                let (descriptor, position) = (stream.descriptor.rawValue, stream.position)
                let video = try IsolatedVideo(
                    descriptor, from: position, head: head, name: name, limits: options.limits,
                    isolation: isolation, stop: stop)
                try self.init(video, isLive: false, options)
            } else if let file = stream.file {
                let bytes = FileVideoBytes(file.descriptor.rawValue, owner: file, from: stream.position)
                try self.init(.bytes(bytes, name: name), isLive: false, options, stallLimit: nil, stop)
            } else {
                let bytes = StreamVideoBytes(stream, stop)
                do throws(TexelError) {
                    try self.init(.bytes(bytes, name: name), isLive: false, options, stallLimit: nil, stop)
                } catch {
                    throw bytes.failure ?? error
                }
            }
        }

        private convenience init(
            _ input: VideoInput, isLive: Bool, _ options: StreamOptions, stallLimit: Duration?, _ stop: StopToken
        ) throws(TexelError) {
            let video = try Video(input, limits: options.limits, stallLimit: stallLimit, stop: stop)
            let stream: StreamVideoBytes? =
                if case .bytes(let bytes, _) = input { bytes as? StreamVideoBytes } else { nil }
            try self.init(video, stream, isLive: isLive, options)
        }

        private init(
            _ video: any VideoFrames, _ stream: StreamVideoBytes? = nil, isLive: Bool, _ options: StreamOptions
        ) throws(TexelError) {
            info = video.info
            // Pixels that are not square may be many times as wide as they are stored.
            try options.limits.checkWhole(video.info.displaySize)
            format = FrameFormat(video.info, isLive: isLive, options)
            reader = Monitor(Reader(video: video, stream: stream, options: options))
        }

        /// Damage that was noticed so far.
        public var faults: StreamFaults { noticed.withLock { $0 } }

        public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
            try withReader(stop) { (reader) throws(TexelError) in
                defer { noticed.withLock { $0.add(reader.video.takeFaults()) } }
                return try reader.next(stop)
            }
        }

        public func seek(to time: Duration, _ stop: StopToken) throws(TexelError) {
            _ = try withReader(stop) { (reader) throws(TexelError) in
                try reader.seek(to: time, stop)
                return SourceFrame?.none
            }
        }

        public func seek(toFrame number: Int, _ stop: StopToken) throws(TexelError) {
            _ = try withReader(stop) { (reader) throws(TexelError) in
                try reader.seek(toFrame: number, stop)
                return SourceFrame?.none
            }
        }

        /// Uses the reader on one thread at a time. After an error it is released, and with it the input.
        private func withReader(
            _ stop: StopToken, _ body: (inout Reader) throws(TexelError) -> SourceFrame?
        ) throws(TexelError) -> SourceFrame? {
            try reader.withLock { (reader) throws(TexelError) -> SourceFrame? in
                guard var current = reader else { return nil }
                do throws(TexelError) {
                    current.stream?.begin(stop)
                    let frame = try body(&current)
                    reader = current
                    return frame
                } catch {
                    reader = nil
                    let reason = current.stream?.failure ?? error
                    if reason.kind == .cancelled { return nil }
                    throw reason
                }
            }
        }
    }

    /// The video, and where its frames are in time.
    private struct Reader {
        let video: any VideoFrames
        let stream: StreamVideoBytes?
        let options: StreamOptions
        var index = 0
        /// Subtracted from all times, so that none is negative; set by the first frame.
        var origin: Duration?
        /// The time of the latest frame.
        var last: Duration?
        /// Whether reading went on from another place, after which there may be no frame.
        var hasSought = false

        mutating func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
            let found = try video.next(stop)
            guard let frame = found else {
                if index == 0, !hasSought { throw .invalidStream("the video has no frames") }
                return nil
            }
            try options.limits.checkWhole(frame.picture.size)
            guard let stamp = video.timeBase.time(of: frame.picture.tick) else {
                throw .invalidStream("frame \(index) of the video has an invalid time")
            }
            let origin = origin ?? min(.zero, stamp)
            self.origin = origin
            // Clocks may be coarser than frames: then several frames have one tick. None is moved further than needed.
            let time = last.map { max(stamp - origin, $0 + .nanoseconds(1)) } ?? stamp - origin
            last = time
            let planes = try frame.planes(
                matrix: options.color?.matrix ?? options.matrix, range: options.color?.range ?? options.range)
            defer { index += 1 }
            var result = SourceFrame(.planes(planes), time: time, index: index)
            result.duration = frame.picture.durationTicks.flatMap { video.timeBase.time(of: $0) }
            result.fields = frame.picture.fields
            return result
        }

        mutating func seek(to time: Duration, _ stop: StopToken) throws(TexelError) {
            try video.seek(to: time + (origin ?? .zero), stop)
            last = nil
            hasSought = true
        }

        mutating func seek(toFrame number: Int, _ stop: StopToken) throws(TexelError) {
            try video.seek(toFrame: number, stop)
            last = nil
            hasSought = true
        }
    }

    /// The bytes of a pipe.
    private final class StreamVideoBytes: VideoBytes {
        private struct State: ~Copyable {
            var stream: ByteStream
            var stop: StopToken
            var failure: TexelError?
        }

        private let state: Monitor<State>

        init(_ stream: consuming ByteStream, _ stop: StopToken) { state = Monitor(State(stream: stream, stop: stop)) }

        var count: Int? { nil }
        var canSeek: Bool { false }

        /// Why reading failed; `nil` if it did not.
        var failure: TexelError? { state.withLock { $0.failure } }

        /// Sets what ends the following waits.
        func begin(_ stop: StopToken) { state.withLock { $0.stop = stop } }

        func read(into bytes: UnsafeMutableRawBufferPointer) -> Int {
            state.withLock { state in
                do throws(TexelError) {
                    // What has arrived is enough: the rest of a live stream may be long in coming.
                    guard try state.stream.buffer(1, state.stop) else { return 0 }
                    let count = min(bytes.count, state.stream.bufferedCount)
                    return try state.stream.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]), state.stop)
                } catch {
                    state.failure = error
                    return -Int(Errno.interrupted.rawValue)
                }
            }
        }

        func seek(to offset: Int) {}
    }

    extension FrameFormat {
        /// The properties of a video, as its headers tell them.
        init(_ info: VideoInfo, isLive: Bool, _ options: StreamOptions) {
            let matrix = options.color?.matrix ?? options.matrix ?? info.colors.yuvMatrix(for: info.size)
            let range = options.color?.range ?? options.range ?? (info.colors.isFullRange == true ? .full : .limited)
            self.init(
                size: info.displaySize, rate: info.rate ?? options.rate, isLive: isLive,
                color: info.isRGB ? nil : matrix.map { YUVColor($0, range) })
            fields = info.fields
            video = info
            baseRate = info.baseRate == rate ? nil : info.baseRate
        }
    }
#endif

/// The kind of source that a video's name denotes.
struct VideoAddress: Equatable {
    var isCamera: Bool
    /// Whether frames arrive in real time: from a camera or over a streaming protocol.
    var isLive: Bool
    /// The file; `nil` for cameras and URLs.
    var path: FilePath?

    init(_ input: String) {
        isCamera = input.hasPrefix("/dev/video")
        let local = input.hasPrefix("file://") ? String(input.dropFirst("file://".count)) : input
        path = isCamera || Self.isURL(local) ? nil : FilePath(local)
        let liveSchemes = ["rtsp:", "rtsps:", "rtmp:", "rtmps:", "rtp:", "udp:", "srt:"]
        isLive = isCamera || path == nil && liveSchemes.contains { input.lowercased().hasPrefix($0) }
    }

    /// Whether the input starts with a URL scheme and `://`.
    private static func isURL(_ input: String) -> Bool {
        guard let end = input.firstRange(of: "://")?.lowerBound, let first = input.first, first.isASCII, first.isLetter
        else { return false }
        return input[..<end].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    }
}
