public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelFormats
import TexelPipeline
import TexelPixels

/// Plays an animated image of any format. A still image is a stream of one frame.
///
/// Frames are composed on a canvas as the file says, without colour conversion. A frame with a delay of at most 10 ms
/// is shown for 100 ms, as in browsers. A damaged file yields the frames before the damage; then ``next(_:)`` throws
/// the error.
public final class AnimationSource: FrameSource {
    /// Properties of the stream, read when it was opened.
    public let format: FrameFormat
    private let content: Content
    private let limits: Limits
    private let pool: FramePool
    private let state: Monitor<State>

    private enum Content {
        case animation(any ImageAnimation)
        case still(InputBytes)
    }

    private struct State {
        var canvas: AnimationCanvas?
        /// The next frame to draw in the current loop.
        var nextFrame = 0
        /// How many times the animation is repeated after the current loop; `nil` for ever.
        var playsLeft: Int?
        /// The start of the next frame. Kept unrounded so that rounding errors do not accumulate.
        var time = Duration.zero
        var index = 0
    }

    /// Opens an image file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - loops: Whether the animation is repeated as often as the file says, possibly for ever; otherwise it plays
    ///     once.
    ///   - limits: The limits for decoding.
    ///   - heldFrames: The number of frames that can be held at once; the next one is composed when a buffer is free.
    /// - Throws: errors of the file if it cannot be read; errors of the codec if the header or the first frame's
    ///   chunks are invalid.
    public convenience init(
        _ path: FilePath, loops: Bool = false, limits: Limits = Limits(), heldFrames: Int = 8
    ) throws(TexelError) {
        let bytes = try InputReader.read(path, limit: limits.inputBytes)
        try self.init(bytes, loops: loops, limits: limits, heldFrames: heldFrames)
    }

    /// Opens an image file whose bytes are in memory, with the same parameters as for a path.
    public init(
        _ bytes: InputBytes, loops: Bool = false, limits: Limits = Limits(), heldFrames: Int = 8
    ) throws(TexelError) {
        self.limits = limits
        pool = FramePool(capacity: heldFrames)
        let source = try CodecRegistry.shared.open(bytes, limits: limits)
        if let animation = try source.animation(limits: limits) {
            content = .animation(animation)
            var format = FrameFormat(size: animation.canvas, rate: animation.rate, isEncoded: true)
            format.baseRate = animation.baseRate
            format.hasAlpha = source.info.hasAlpha
            self.format = format
            let plays = animation.playCount == 0 ? nil : animation.playCount - 1
            state = Monitor(State(playsLeft: loops ? plays : 0))
        } else {
            content = .still(bytes)
            format = FrameFormat(size: source.info.displaySize, isEncoded: true)
            state = Monitor(State(playsLeft: 0))
        }
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        guard !stop.isStopped else { return nil }
        return try state.withLock { (state) throws(TexelError) -> SourceFrame? in
            switch content {
            case .animation(let animation): try next(of: animation, &state, stop)
            case .still(let bytes): try still(bytes, &state, stop)
            }
        }
    }

    private func next(
        of animation: any ImageAnimation, _ state: inout State, _ stop: StopToken
    ) throws(TexelError) -> SourceFrame? {
        if state.nextFrame == animation.frames.count {
            if let fault = animation.fault { throw .damagedFrame(index: state.index, fault) }
            guard state.playsLeft != 0 else { return nil }
            state.playsLeft = state.playsLeft.map { $0 - 1 }
            state.nextFrame = 0
        }
        let canvas: AnimationCanvas
        if let made = state.canvas {
            canvas = made
        } else {
            canvas = try AnimationCanvas(animation)
        }
        state.canvas = canvas
        guard var lease = try pool.lease(byteCount: try Frame.byteCount(animation.canvas), stop) else { return nil }
        do throws(TexelError) {
            try canvas.draw(state.nextFrame, options(stop))
        } catch {
            if error.kind == .cancelled { return nil }
            throw .damagedFrame(index: state.index, error)
        }
        let (begin, end) = (state.time, state.time + animation.frames[state.nextFrame].duration)
        lease.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            canvas.copy(
                0..<animation.canvas.height, into: base, bytesPerRow: Frame.bytesPerRow(width: animation.canvas.width))
        }
        let frame = Frame(
            lease, size: animation.canvas, alphaMode: canvas.isOpaque ? .opaque : .straight, time: begin.rounded,
            duration: end.rounded - begin.rounded, index: state.index)
        state.nextFrame += 1
        state.index += 1
        state.time = end
        return SourceFrame(frame)
    }

    private func options(_ stop: StopToken) -> DecodeOptions {
        var options = DecodeOptions()
        options.policy.limits = limits
        options.stop = stop
        return options
    }

    private func still(_ bytes: InputBytes, _ state: inout State, _ stop: StopToken) throws(TexelError) -> SourceFrame?
    {
        guard state.index == 0, var lease = try pool.lease(byteCount: bytes.count, stop) else { return nil }
        state.index = 1
        lease.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
        return SourceFrame(.encoded(lease, count: bytes.count), time: .zero, index: 0)
    }
}

extension AnimationFrame {
    /// How long the frame is shown.
    fileprivate var duration: Duration { shownDelay.duration }
}

extension ImageAnimation {
    /// Whether all frames are shown equally long.
    private var isEven: Bool { frames.allSatisfy { $0.duration == frames[0].duration } }

    /// Frames per second, on average if the durations differ.
    fileprivate var rate: FrameRate? {
        guard let first = frames.first?.shownDelay else { return nil }
        if isEven { return FrameRate(reducing: first.denominator, per: first.numerator) }
        let total = frames.reduce(Duration.zero) { $0 + $1.duration }
        return FrameRate(reducing: frames.count * 1000, per: Int(total.attoseconds / 1_000_000_000_000_000))
    }

    /// The rate of which all durations are multiples; `nil` if they are equal.
    fileprivate var baseRate: FrameRate? {
        guard let first = frames.first?.shownDelay, !isEven else { return nil }
        let step = frames.reduce(first as FrameDelay?) { $0?.commonStep(with: $1.shownDelay) }
        return step.flatMap { FrameRate(reducing: $0.denominator, per: $0.numerator) }
    }
}

extension Duration {
    /// Rounded to the nearest nanosecond.
    fileprivate var rounded: Duration { .nanoseconds(Int64((attoseconds + 500_000_000) / 1_000_000_000)) }
}
