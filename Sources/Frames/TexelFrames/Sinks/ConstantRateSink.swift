import Synchronization
import TexelCodecs
import TexelCore
import TexelPixels

/// Gives evenly spaced frames to a sink that stores no times: repeats frames, and leaves some out, so that each is
/// shown at its time.
///
/// It is the last stage, so that it also fills the gaps of frames that could not be decoded.
///
/// Unchecked because of the frame and the writer: writers are called in their turns, one at a time, and ``finish()``
/// after them.
final class ConstantRateSink: FrameSink, @unchecked Sendable {
    private let sink: any FrameSink
    private var slots: FrameSlots
    /// The latest frame, which fills the slots up to the next one.
    private var latest: Frame?
    /// Whether the latest frame was written.
    private var isWritten = true
    /// How long the last frame is shown if it does not say.
    private var interval: Duration
    /// Writes repetitions: the writer that wrote the frame may already prepare another one.
    private var repeater: (any FrameWriter)?
    private let counts: Mutex<RateConversion>

    /// Creates a sink that writes into another one.
    init(_ sink: any FrameSink, rate: FrameRate) {
        self.sink = sink
        slots = FrameSlots(rate: rate)
        interval = rate.interval
        counts = Mutex(RateConversion(rate: rate))
    }

    /// The frames repeated and dropped so far.
    var conversion: RateConversion { counts.withLock { $0 } }

    var isLive: Bool { sink.isLive }
    var isEncoder: Bool { sink.isEncoder }
    /// One more: the latest frame.
    var framesKept: Int { sink.framesKept + 1 }

    func makePool(for stream: FrameStream, capacity: Int) throws(TexelError) -> FramePool {
        try sink.makePool(for: stream, capacity: capacity)
    }

    func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter {
        var stream = stream
        interval = stream.rate?.interval ?? slots.rate.interval
        stream.rate = slots.rate
        let writer = try sink.makeWriter(for: stream)
        if repeater == nil { repeater = try sink.makeWriter(for: stream) }
        return Writer(self, writer)
    }

    func finish() throws(TexelError) {
        if let end = Self.end(latest, interval) { try repeatLatest(slots.fill(until: end)) }
        if !isWritten { counts.withLock { $0.framesOmitted += 1 } }
        latest = nil
        try sink.finish()
    }

    private func write(_ frame: borrowing Frame, with writer: any FrameWriter) throws(TexelError) {
        let placement = slots.place(frame.time, followsDrop: frame.followsDrop)
        if case .next(let gap) = placement {
            try repeatLatest(gap)
            try writer.write(frame)
        }
        let isOmitted = !isWritten
        counts.withLock { counts in
            if isOmitted { counts.framesOmitted += 1 }
            counts.jumps = slots.jumpCount
        }
        latest = frame.shared()
        isWritten = placement != .taken
    }

    /// Writes the latest frame several times.
    private func repeatLatest(_ count: Int) throws(TexelError) {
        guard count > 0, let repeater else { return }
        try Self.write(latest, count, with: repeater)
        let repetitions = isWritten ? count : count - 1
        counts.withLock { $0.framesRepeated += repetitions }
        isWritten = true
    }

    private static func write(
        _ frame: borrowing Frame?, _ count: Int, with writer: any FrameWriter
    ) throws(TexelError) {
        switch frame {
        case .none: break
        case .some(let frame):
            try writer.prepare(frame)
            for _ in 0..<count { try writer.write(frame) }
        }
    }

    /// When a frame ends, if it is shown for `interval` unless it says otherwise.
    private static func end(_ frame: borrowing Frame?, _ interval: Duration) -> Duration? {
        switch frame {
        case .none: nil
        case .some(let frame): frame.time + (frame.duration ?? interval)
        }
    }

    private final class Writer: FrameWriter {
        private let sink: ConstantRateSink
        private let writer: any FrameWriter

        init(_ sink: ConstantRateSink, _ writer: any FrameWriter) {
            self.sink = sink
            self.writer = writer
        }

        func prepare(_ frame: borrowing Frame) throws(TexelError) { try writer.prepare(frame) }

        func write(_ frame: borrowing Frame) throws(TexelError) { try sink.write(frame, with: writer) }
    }
}
