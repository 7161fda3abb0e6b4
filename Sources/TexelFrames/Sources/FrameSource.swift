import SystemPackage
import TexelPipeline
public import TexelPixels

/// Gives the frames of a stream, one after another.
///
/// A source does what must be done in order, and no more: it finds the bytes of the next frame. What can be done for
/// several frames at a time, decoding and filtering, the pipeline's workers do with what the source gave. A source is
/// asked only when a frame is wanted, so whatever wraps a source (throttling, sampling, merging) passes demand upstream
/// by asking.
public protocol FrameSource: AnyObject, Sendable {
    /// What is known of all frames.
    var format: FrameFormat { get }

    /// The next frame; `nil` at the end of the stream, and when `stop` says so.
    ///
    /// Called by one thread at a time; may wait for a frame.
    /// - Throws: any error; then the stream is over. A run throws one that is not a `FrameError` as
    ///   ``FrameError/source(_:)``.
    func next(_ stop: FrameStop) throws -> SourceFrame?
}

extension FrameSource {
    /// ``next(_:)`` with a `FrameError`.
    func nextFrame(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        do { return try next(stop) } catch let error as FrameError { throw error } catch {
            throw .source(CustomError(error))
        }
    }
}

/// What a source knows of its frames before the first is read.
public struct FrameFormat: Sendable, Hashable {
    /// Of the first frame; others may differ where the source says so.
    public var size: PixelSize
    /// Frames a second where they come evenly, or on average.
    public var rate: FrameRate?
    /// Whether frames come when they come, and are late when they are not taken: a camera, a screen, a paced file.
    public var isLive: Bool
    /// How the colours of a YUV stream are meant, for outputs that can say it too.
    public var color: YUVColor?
    /// Whether frames are PNG or JPEG files, each of which is decoded by one thread.
    public var isEncoded: Bool

    public init(
        size: PixelSize, rate: FrameRate? = nil, isLive: Bool = false, color: YUVColor? = nil, isEncoded: Bool = false
    ) {
        self.size = size
        self.rate = rate
        self.isLive = isLive
        self.color = color
        self.isEncoded = isEncoded
    }
}

/// Frames a second, as a fraction.
public struct FrameRate: Sendable, Hashable {
    public var frames: Int
    public var seconds: Int

    /// `nil` unless both are positive and fit 32 bits.
    public init?(_ frames: Int, per seconds: Int = 1) {
        guard (1...Int(UInt32.max)).contains(frames), (1...Int(UInt32.max)).contains(seconds) else { return nil }
        self.frames = frames
        self.seconds = seconds
    }

    /// Reads `30000/1001` or the like; `nil` for everything else.
    init?(fraction: String, separator: Character = "/") {
        let parts = fraction.split(separator: separator, omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let frames = parts[0], let seconds = parts[1] else { return nil }
        self.init(frames, per: seconds)
    }

    /// When a frame begins, rounded to a nanosecond; no error adds up.
    public func time(ofFrame index: Int) -> Duration {
        let (whole, rest) = (index * seconds).quotientAndRemainder(dividingBy: frames)
        return .seconds(whole) + .nanoseconds((Int64(rest) * 1_000_000_000 + Int64(frames / 2)) / Int64(frames))
    }

    /// How long a frame lasts.
    public var interval: Duration { time(ofFrame: 1) }
}

extension FrameRate: CustomStringConvertible {
    public var description: String { seconds == 1 ? "\(frames)" : "\(frames)/\(seconds)" }
}

/// One frame as a source gives it: its time, and what its pixels can be made of.
public struct SourceFrame: ~Copyable, Sendable {
    /// When it is to be seen, from the beginning of the stream.
    public var time: Duration
    /// How long it is to be seen, where the source knows.
    public var duration: Duration?
    /// The frame's number in its source, from 0.
    public var index: Int
    var content: FrameContent
    /// A second picture to lay over the first.
    var overlay: FrameOverlay?

    init(_ content: consuming FrameContent, time: Duration, duration: Duration? = nil, index: Int) {
        self.content = content
        self.time = time
        self.duration = duration
        self.index = index
        self.overlay = nil
    }

    /// What the pixels can be made of; the rest of the frame goes.
    consuming func takeContent() -> FrameContent { content }

    /// A frame that an application has made.
    public init(_ frame: consuming Frame) {
        self.init(frame: frame)
    }

    private init(frame: consuming Frame) {
        let (time, duration, index) = (frame.time, frame.duration, frame.index)
        self.init(.pixels(frame), time: time, duration: duration, index: index)
    }
}

/// A second picture, mixed into a frame.
struct FrameOverlay: ~Copyable, Sendable {
    var content: FrameContent
    /// How much of it is seen: 0 nothing, 256 only it.
    var weight: Int
}

/// What the pixels of a frame can be made of.
enum FrameContent: ~Copyable, Sendable {
    /// They are there.
    case pixels(Frame)
    /// Samples in memory.
    case samples(LeasedSamples)
    /// Samples in a file, from the offset on.
    case fileSamples(SampleFile, offset: Int, SampleLayout)
    /// The bytes of a PNG or JPEG file.
    case encoded(LeasedBytes)
    /// A PNG or JPEG file.
    case file(FilePath)
    /// A picture that is drawn.
    case pattern(TestPattern)

    /// Samples in memory, as the layout says.
    static func samples(_ lease: consuming FrameLease, _ layout: SampleLayout) -> FrameContent {
        .samples(LeasedSamples(lease: lease, layout: layout))
    }

    /// The bytes of a PNG or JPEG file, which are the first `count` of the lease.
    static func encoded(_ lease: consuming FrameLease, count: Int) -> FrameContent {
        .encoded(LeasedBytes(lease: lease, count: count))
    }
}

struct LeasedSamples: ~Copyable, Sendable {
    let lease: FrameLease
    let layout: SampleLayout
}

struct LeasedBytes: ~Copyable, Sendable {
    let lease: FrameLease
    let count: Int
}
