import Synchronization
public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelPipeline
import TexelPixels

/// Writes the frames of a stream as one animation: WebP, AVIF, PNG, GIF or JPEG XL. The file appears when the stream
/// has ended.
///
/// A frame is shown until the next one begins. All frames must have the size of the first. In a GIF, frames that begin
/// less than 20 ms after the one before are left out, because viewers show such short frames for much longer.
public final class AnimationSink: FrameSink {
    private let path: FilePath
    private let options: any AnimatedOptions
    private let playCount: Int
    private let replacement: Replacement
    private let stop: StopToken
    private let state = Mutex(State())

    private struct State {
        var encoder: (any AnimationEncoder)?
        /// The latest frame. It is encoded when the time of the next one is known.
        var latest: Still?
        /// The time from the frame before the latest one to the latest.
        var interval: Duration?
        /// The rate of the stream.
        var rate: FrameRate?
        /// Whether frames may have transparent pixels.
        var hasAlpha = false
    }

    /// A frame as it is encoded.
    private struct Still {
        var pixels: PixelBuffer
        var time: Duration
        var duration: Duration?
        var index: Int
    }

    /// - Parameters:
    ///   - path: The file.
    ///   - encoding: The format and its options.
    ///   - playCount: How often the animation is played; 0 for endless.
    ///   - replaces: Whether an existing file may be replaced.
    ///   - inputs: Files that are never replaced, such as that of the source.
    ///   - stop: Ends the encoding.
    /// - Throws: `unsupported` if animations of the format cannot be written; `alreadyExists`, `isInput`.
    public init(
        _ path: FilePath, as encoding: ImageEncoding, playCount: Int = 0, replaces: Bool = false,
        inputs: [FilePath] = [], stop: StopToken = StopToken()
    ) throws(TexelError) {
        options = try encoding.animatedOptions()
        self.path = path
        self.playCount = playCount
        self.stop = stop
        replacement = Replacement(overwrites: replaces, except: inputs)
        if let refusal = replacement.refusal(of: path, FileStatus(path)) { throw refusal }
    }

    public var isEncoder: Bool { true }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(self, stream) }

    /// Takes a frame, and encodes the one before it, whose delay is now known.
    private func append(_ still: Still, _ stream: FrameStream) throws(TexelError) {
        try state.withLock { (state) throws(TexelError) in
            guard let latest = state.latest else {
                (state.latest, state.rate) = (still, stream.rate)
                state.hasAlpha = stream.hasAlpha || still.pixels.alphaMode != .opaque
                return
            }
            guard still.pixels.size == latest.pixels.size else {
                throw .sizeChanged(frame: still.index, from: latest.pixels.size, to: still.pixels.size)
            }
            if !state.hasAlpha, !still.pixels.isOpaque {
                throw .cannotEncode("a frame with transparent pixels in an animation that began without")
            }
            let interval = still.time - latest.time
            if let shortest = options.shortestDelay?.duration, interval + .milliseconds(1) < shortest { return }
            try encode(latest, for: interval, &state)
            (state.latest, state.interval) = (still, interval)
        }
    }

    private func encode(_ still: Still, for interval: Duration, _ state: inout State) throws(TexelError) {
        let encoder: any AnimationEncoder
        if let begun = state.encoder {
            encoder = begun
        } else {
            let properties = AnimationProperties(
                size: still.pixels.size, playCount: playCount, hasAlpha: state.hasAlpha, colorSpace: .sRGB)
            let context = EncodingContext(stop: stop, parallelism: WorkerPool.availableCores)
            encoder = try options.animationEncoder(properties, context)
            state.encoder = encoder
        }
        try encoder.append(still.pixels, delay: FrameDelay(interval, at: state.rate))
    }

    public func finish() throws(TexelError) {
        let bytes = try state.withLock { (state) throws(TexelError) -> [UInt8]? in
            guard let latest = state.latest.take() else { return nil }
            let interval = latest.duration ?? state.interval ?? FrameRate.standard.interval
            try encode(latest, for: interval, &state)
            return try state.encoder?.finish()
        }
        guard let bytes else { throw .cannotEncode("an animation without frames") }
        try AtomicFile.write(bytes, to: path, replacing: replacement)
    }

    private final class Writer: FrameWriter {
        private let sink: AnimationSink
        private let stream: FrameStream
        private var still: Still?

        init(_ sink: AnimationSink, _ stream: FrameStream) { (self.sink, self.stream) = (sink, stream) }

        func prepare(_ frame: borrowing Frame) throws(TexelError) {
            still = Still(
                pixels: try frame.pixelBuffer(), time: frame.time, duration: frame.duration, index: frame.index)
        }

        func write(_ frame: borrowing Frame) throws(TexelError) {
            if let still = still.take() { try sink.append(still, stream) }
        }
    }
}

extension FrameDelay {
    /// - Parameter rate: the rate of which the delay may be a multiple, up to rounding to nanoseconds.
    fileprivate init(_ duration: Duration, at rate: FrameRate?) {
        if let rate {
            let count = Int((duration / rate.interval).rounded())
            if count > 0, count < 1 << 20, abs((duration - rate.time(ofFrame: count)) / .microseconds(1)) < 1 {
                self.init(count * rate.seconds, rate.frames)
                return
            }
        }
        self.init(duration)
    }
}
