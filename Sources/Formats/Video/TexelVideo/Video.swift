import CLibAVShim
import PlatformLibc
package import TexelCodecs
package import TexelCore
import TexelPixels

/// A video that FFmpeg's libraries read and decode: its main stream. Used by one thread at a time.
///
/// Unchecked because of the pointer: its object belongs to this one alone.
package final class Video: VideoFrames, @unchecked Sendable {
    /// The properties in the headers.
    package let info: VideoInfo
    /// Seconds per tick.
    package let timeBase: TimeBase
    private let video: OpaquePointer
    private let patience: InputPatience
    private let bytes: (any VideoBytes)?
    private let limits: Limits

    /// Opens a video, reads its headers and starts the decoder. Loads the libraries.
    ///
    /// - Parameters:
    ///   - input: The video.
    ///   - limits: The size of frames is checked against them, also of later ones.
    ///   - threads: The number of the decoder's threads; 0 for one per core.
    ///   - stallLimit: How long each wait for an address or a camera may take; `nil` for no limit.
    ///   - stop: Ends the wait for the headers.
    package init(
        _ input: VideoInput, limits: Limits, threads: Int = 0, stallLimit: Duration? = nil, stop: StopToken? = nil
    ) throws(TexelError) {
        var bytes: (any VideoBytes)?
        if case .camera = input {
            try LoadedLibrary.libAVDevices.require()
        } else {
            try LoadedLibrary.libAV.require()
        }
        let patience = InputPatience(limit: stallLimit)
        patience.begin(stop)
        var request = texel_video_input()
        request.pixel_limit = Int64(clamping: limits.pixels)
        request.threads = CInt(clamping: threads)
        request.question = { InputPatience.isOver($0) }
        request.context = Unmanaged.passUnretained(patience).toOpaque()
        var name: String?
        var address: String?
        switch input {
        case .bytes(let source, let fileName):
            bytes = source
            name = fileName
            request.bytes = texel_video_bytes(BytesBox(source))
        case .address(let url): address = url
        case .camera(let device):
            address = device
            request.is_camera = true
        }
        var opened: OpaquePointer?
        var failure = texel_video_failure()
        var status = name.withOptionalCString { name in
            address.withOptionalCString { address in
                request.name = name
                request.address = address
                return texel_video_open(&request, &opened, &failure)
            }
        }
        guard let opened else {
            request.bytes.releaseContext()
            throw TexelError(status, &failure, patience, limits)
        }
        let found = texel_video_describe(opened)
        let size = PixelSize(width: Int(found.width), height: Int(found.height))
        do throws(TexelError) {
            guard size.isPositive else { throw .invalidStream("the video has no size") }
            try limits.checkWhole(size)
            guard
                let timeBase = TimeBase(
                    seconds: Int(found.time_base.numerator), ticks: Int(found.time_base.denominator))
            else { throw .invalidStream("the video has no clock") }
            status = texel_video_start(opened, &failure)
            guard status == TEXEL_VIDEO_OK else { throw TexelError(status, &failure, patience, limits) }
            self.timeBase = timeBase
        } catch {
            texel_video_close(opened)
            request.bytes.releaseContext()
            throw error
        }
        // Whether alpha is decoded is known once the decoder has been chosen.
        info = VideoInfo(opened, timeBase)
        video = opened
        box = request.bytes.context
        // Both outlive the video, which holds pointers to them.
        self.patience = patience
        self.bytes = bytes
        self.limits = limits
    }

    private let box: UnsafeMutableRawPointer?

    deinit {
        texel_video_close(video)
        if let box { Unmanaged<BytesBox>.fromOpaque(box).release() }
    }

    /// Decodes the next frame; `nil` at the end of the stream.
    package func next(_ stop: StopToken? = nil) throws(TexelError) -> VideoFrame? {
        if let stop, stop.isStopped { throw .stopped(.cancelled) }
        patience.begin(stop)
        var frame: OpaquePointer?
        var failure = texel_video_failure()
        let status = texel_video_next(video, &frame, &failure)
        if let frame { return VideoFrame(frame) }
        guard status == TEXEL_VIDEO_END else { throw TexelError(status, &failure, patience, limits) }
        return nil
    }

    /// Lets the next frame be the first one that is not shown before a time, counted from the start of the input.
    package func seek(to time: Duration, _ stop: StopToken? = nil) throws(TexelError) {
        guard let tick = timeBase.firstTick(from: max(time, .zero)) else {
            throw .unsupported("a time of \(time.components.seconds) seconds")
        }
        try seek(toTick: tick, stop)
    }

    /// Lets the next frame be the one with a number, from 0. Without times in the packets, decodes all frames before.
    ///
    /// - Throws: `missingFrame` if the video has fewer frames.
    package func seek(toFrame number: Int, _ stop: StopToken? = nil) throws(TexelError) {
        patience.begin(stop)
        var failure = texel_video_failure()
        var tick: Int64 = 0
        switch texel_video_find(video, Int64(number), &tick, &failure) {
        case TEXEL_VIDEO_OK: try seek(toTick: Int(tick), stop)
        case TEXEL_VIDEO_END: throw .missingFrame(number)
        case TEXEL_VIDEO_UNSUPPORTED:
            for _ in 0..<number {
                guard try next(stop) != nil else { throw .missingFrame(number) }
            }
        case let status: throw TexelError(status, &failure, patience, limits)
        }
    }

    private func seek(toTick tick: Int, _ stop: StopToken?) throws(TexelError) {
        patience.begin(stop)
        var failure = texel_video_failure()
        let status = texel_video_seek(video, Int64(tick), &failure)
        guard status == TEXEL_VIDEO_OK else { throw TexelError(status, &failure, patience, limits) }
    }

    /// Returns the damage that was noticed since the last call.
    package func takeFaults() -> StreamFaults { StreamFaults(texel_video_take_faults(video)) }
}

extension StreamFaults {
    fileprivate init(_ found: texel_video_faults) {
        self.init()
        lostPackets = Int(found.lost_packets)
        damagedFrames = Int(found.damaged_frames)
        endsEarly = found.ends_early
        var message = found.message
        let text = withUnsafeBytes(of: &message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self.message = text.isEmpty ? nil : text
    }
}

/// Holds the bytes for callbacks.
private final class BytesBox: Sendable {
    let bytes: any VideoBytes
    init(_ bytes: any VideoBytes) { self.bytes = bytes }
}

extension texel_video_bytes {
    /// The callbacks' context is retained until `releaseContext`.
    fileprivate init(_ box: BytesBox) {
        self.init()
        context = Unmanaged.passRetained(box).toOpaque()
        size = box.bytes.count.map { Int64($0) } ?? -1
        read = { context, bytes, count in
            guard let context, count > 0 else { return 0 }
            let source = Unmanaged<BytesBox>.fromOpaque(context).takeUnretainedValue().bytes
            return CInt(source.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))))
        }
        if box.bytes.canSeek {
            seek = { context, offset in
                guard let context else { return }
                Unmanaged<BytesBox>.fromOpaque(context).takeUnretainedValue().bytes.seek(to: Int(offset))
            }
        }
    }

    fileprivate func releaseContext() {
        if let context { Unmanaged<BytesBox>.fromOpaque(context).release() }
    }
}

extension InputPatience {
    /// The question of FFmpeg's libraries, whose context is an object of this class.
    fileprivate static func isOver(_ context: UnsafeMutableRawPointer?) -> Bool {
        guard let context else { return false }
        return Unmanaged<InputPatience>.fromOpaque(context).takeUnretainedValue().end != nil
    }
}

extension texel_video_failure {
    /// FFmpeg's words.
    var text: String {
        mutating get { withUnsafeBytes(of: &message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) } }
    }
}

extension TexelError {
    fileprivate init(
        _ status: texel_video_status, _ failure: inout texel_video_failure, _ patience: InputPatience, _ limits: Limits
    ) {
        let message = failure.text
        self =
            switch status {
            case TEXEL_VIDEO_NO_VIDEO: TexelError(.unsupported, "the input has no video stream")
            case TEXEL_VIDEO_UNKNOWN: .invalidStream("the input is no video that FFmpeg recognises")
            case TEXEL_VIDEO_PLAYLIST:
                .unsupported("a playlist\(message.isEmpty ? "" : " (\(message))"), which names other files,")
            case TEXEL_VIDEO_UNSUPPORTED: .unsupported(message)
            case TEXEL_VIDEO_TOO_LARGE:
                .limitExceeded(
                    .pixels, value: Int(failure.width) * Int(failure.height), allowed: limits.pixels)
            case TEXEL_VIDEO_INTERRUPTED: patience.end ?? .stopped(.cancelled)
            case TEXEL_VIDEO_OUT_OF_MEMORY: .outOfMemory
            case TEXEL_VIDEO_SYSTEM: .streamFailed(failure.system_error)
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
