import TexelCodecs
import TexelCore
import TexelPixels

extension FrameSource {
    /// Returns a source with two progressive frames for each interlaced frame, one of each field: 50 frames per second
    /// from video with 25 interlaced frames. Progressive frames pass.
    ///
    /// - The first of the two frames has the time of the interlaced one, the second follows half its duration later. If
    ///   the duration is unknown, it is the time until the next frame; for the last frame, the time since the one
    ///   before.
    /// - The rows of the other field are interpolated from the frame, the one before and the one after, when the frame
    ///   is rendered. A neighbour of another size, layout, orientation or order of fields, and a progressive one, is
    ///   not used. So one frame is read ahead while frames are interlaced, also of a live source.
    /// - Frames of finished pixels, image files and blended frames pass, even if they are interlaced.
    /// - If the properties of this source say that frames are interlaced, the rate is twice its rate.
    ///
    /// The method is motion-adaptive: parts of the image that do not move keep all their rows. FFmpeg calls it bwdif.
    public func deinterlaced() -> any FrameSource {
        var format = format
        if format.fields != nil {
            format.fields = nil
            format.rate = format.rate?.doubled
            format.baseRate = format.baseRate?.doubled
        }
        return FrameStage(self, format: format, renumbers: true, Deinterlacer()) {
            state, stage, stop throws(TexelError) in
            guard let frame = try state.next(stage.source, stop), !stop.isStopped else { return nil }
            return frame
        }
    }
}

private struct Deinterlacer: ~Copyable {
    /// The interlaced frame before the next one.
    private var previous: InterlacedFrame?
    /// The frame that was read ahead.
    private var upcoming: Arrival?
    /// The second field of the frame whose first field was returned last.
    private var second: SourceFrame?
    /// The distance of the last two interlaced frames.
    private var interval: Duration?
    /// An error that is thrown once the frames before it have been returned.
    private var failure: TexelError?
    private var hasEnded = false

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

        init(_ frame: consuming SourceFrame) throws(TexelError) {
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

    init() {}

    mutating func next(_ source: any FrameSource, _ stop: StopToken) throws(TexelError) -> SourceFrame? {
        if let second = second.take() { return second }
        guard let arrival = takeArrival(source, stop) else {
            if let failure = failure.take() { throw failure }
            return nil
        }
        switch consume arrival {
        case .whole(let frame):
            previous = nil
            return frame
        case .interlaced(let frame):
            readUpcoming(source, stop)
            return firstField(of: frame, rate: source.format.rate)
        }
    }

    /// Returns the first field of a frame and stores the second.
    private mutating func firstField(of frame: InterlacedFrame, rate: FrameRate?) -> SourceFrame {
        let before = previous.flatMap { $0.matches(frame) ? $0.samples : nil } ?? frame.samples
        var after = frame.samples
        if let next = upcoming.take() {
            if let other = next.interlaced, other.matches(frame) { after = other.samples }
            if next.time > frame.time { interval = next.time - frame.time }
            upcoming = consume next
        }
        let length = frame.duration ?? interval ?? rate?.interval ?? FrameRate.standard.interval
        previous = frame
        func field(isSecond: Bool) -> SourceFrame {
            let field = DeinterlacedField(
                firstRow: (frame.order == .bottomFirst) == isSecond ? 0 : 1, isSecond: isSecond, before: before,
                frame: frame.samples, after: after)
            let half = length / 2
            return SourceFrame(
                .field(field), time: isSecond ? frame.time + half : frame.time, duration: frame.duration.map { $0 / 2 },
                index: 0)
        }
        second = field(isSecond: true)
        return field(isSecond: false)
    }

    /// Returns the frame that was read ahead, or reads one.
    private mutating func takeArrival(_ source: any FrameSource, _ stop: StopToken) -> Arrival? {
        if let upcoming = upcoming.take() { return upcoming }
        readUpcoming(source, stop)
        return upcoming.take()
    }

    /// Reads the next frame, unless the source has ended.
    private mutating func readUpcoming(_ source: any FrameSource, _ stop: StopToken) {
        guard !hasEnded else { return }
        do throws(TexelError) {
            if let frame = try source.nextFrame(stop) {
                upcoming = try Arrival(frame)
            } else {
                hasEnded = true
            }
        } catch {
            failure = error
            hasEnded = true
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
