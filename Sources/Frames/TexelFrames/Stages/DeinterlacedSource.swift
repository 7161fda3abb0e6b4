public import TexelCodecs
import TexelCore
import TexelPixels

/// Makes two progressive frames of each interlaced frame of another source, one of each field: 50 frames per second
/// from video with 25 interlaced frames. Progressive frames pass.
///
/// - The first of the two frames has the time of the interlaced one, the second follows half its duration later. If the
///   duration is unknown, it is the time until the next frame; for the last frame, the time since the one before.
/// - The rows of the other field are interpolated from the frame, the one before and the one after, when the frame is
///   rendered. A neighbour of another size, layout, orientation or order of fields, and a progressive one, is not used.
///   So this source reads one frame ahead while frames are interlaced, also of a live source.
/// - Frames of finished pixels, image files and blended frames pass, even if they are interlaced.
///
/// The method is motion-adaptive: parts of the image that do not move keep all their rows. FFmpeg calls it bwdif.
public final class DeinterlacedSource: FrameSource {
    /// Properties of the wrapped source; if they say that frames are interlaced, at twice the rate.
    public let format: FrameFormat
    private let source: any FrameSource
    private let state = Monitor(State())

    private struct State: ~Copyable {
        /// The interlaced frame before the next one.
        var previous: InterlacedFrame?
        /// The frame that was read ahead.
        var upcoming: Arrival?
        /// The second field of the frame whose first field was returned last.
        var second: SourceFrame?
        /// The distance of the last two interlaced frames.
        var interval: Duration?
        var index = 0
        /// An error that is thrown once the frames before it have been returned.
        var failure: FrameError?
        var hasEnded = false
    }

    private struct InterlacedFrame {
        var samples: HeldSamples
        var order: FieldOrder
        var time: Duration
        var duration: Duration?

        /// Whether both frames belong to one sequence of fields.
        func matches(_ other: InterlacedFrame) -> Bool {
            order == other.order && samples.image.layout == other.samples.image.layout
                && samples.image.orientation == other.samples.image.orientation
        }
    }

    private enum Arrival: ~Copyable {
        case whole(SourceFrame)
        case interlaced(InterlacedFrame)

        init(_ frame: consuming SourceFrame) throws(FrameError) {
            let (time, duration) = (frame.time, frame.duration)
            if let order = frame.fields, frame.isSingle, let samples = try HeldSamples(frame.content.shared()) {
                self = .interlaced(InterlacedFrame(samples: samples, order: order, time: time, duration: duration))
            } else {
                self = .whole(frame)
            }
        }

        var time: Duration {
            switch self {
            case .whole(let frame): frame.time
            case .interlaced(let frame): frame.time
            }
        }

        var interlaced: InterlacedFrame? {
            switch self {
            case .whole: nil
            case .interlaced(let frame): frame
            }
        }
    }

    /// Creates a source of progressive frames.
    public init(_ source: any FrameSource) {
        self.source = source
        upstream = [source]
        var format = source.format
        if format.fields != nil {
            format.fields = nil
            format.rate = format.rate?.doubled
            format.baseRate = format.baseRate?.doubled
        }
        self.format = format
    }

    public func next(_ stop: StopToken) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            guard var frame = try next(&state, stop), !stop.isStopped else { return nil }
            frame.index = state.index
            state.index += 1
            return frame
        }
    }

    public let upstream: [any FrameSource]

    private func next(_ state: inout State, _ stop: StopToken) throws(FrameError) -> SourceFrame? {
        if let second = state.second.take() { return second }
        guard let arrival = takeArrival(&state, stop) else {
            if let failure = state.failure.take() { throw failure }
            return nil
        }
        switch consume arrival {
        case .whole(let frame):
            state.previous = nil
            return frame
        case .interlaced(let frame):
            readUpcoming(&state, stop)
            return firstField(of: frame, &state)
        }
    }

    /// Returns the first field of a frame and stores the second.
    private func firstField(of frame: InterlacedFrame, _ state: inout State) -> SourceFrame {
        let before = state.previous.flatMap { $0.matches(frame) ? $0.samples : nil } ?? frame.samples
        var after = frame.samples
        if let upcoming = state.upcoming.take() {
            if let next = upcoming.interlaced, next.matches(frame) { after = next.samples }
            if upcoming.time > frame.time { state.interval = upcoming.time - frame.time }
            state.upcoming = consume upcoming
        }
        let length =
            frame.duration ?? state.interval ?? source.format.rate?.interval ?? FrameRate.standard.interval
        state.previous = frame
        func field(isSecond: Bool) -> SourceFrame {
            let field = DeinterlacedField(
                firstRow: (frame.order == .bottomFirst) == isSecond ? 0 : 1, isSecond: isSecond, before: before,
                frame: frame.samples, after: after)
            let half = length / 2
            return SourceFrame(
                .field(field), time: isSecond ? frame.time + half : frame.time, duration: frame.duration.map { $0 / 2 },
                index: 0)
        }
        state.second = field(isSecond: true)
        return field(isSecond: false)
    }

    /// Returns the frame that was read ahead, or reads one.
    private func takeArrival(_ state: inout State, _ stop: StopToken) -> Arrival? {
        if let upcoming = state.upcoming.take() { return upcoming }
        readUpcoming(&state, stop)
        return state.upcoming.take()
    }

    /// Reads the next frame, unless the source has ended.
    private func readUpcoming(_ state: inout State, _ stop: StopToken) {
        guard !state.hasEnded else { return }
        do throws(FrameError) {
            if let frame = try source.nextFrame(stop) {
                state.upcoming = try Arrival(frame)
            } else {
                state.hasEnded = true
            }
        } catch {
            state.failure = error
            state.hasEnded = true
        }
    }
}

extension SourceFrame {
    /// Whether no second image is blended over the first.
    fileprivate var isSingle: Bool {
        switch overlay {
        case .none: true
        case .some: false
        }
    }
}

extension FrameRate {
    /// `nil` if it is too large.
    fileprivate var doubled: FrameRate? { FrameRate(reducing: frames * 2, per: seconds) }
}
