import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelPipeline
public import TexelPixels

/// Provides the frames of a stream, one after another.
///
/// A source does only what must happen in order: it finds the bytes of the next frame. The pipeline's workers decode
/// and filter them in parallel. A source is called only when a frame is needed, so a source that wraps another one
/// (throttling, sampling, merging) propagates demand upstream by calling it.
public protocol FrameSource: AnyObject, Sendable {
    /// Properties of the stream, known before the first frame is read.
    var format: FrameFormat { get }

    /// The sources that this one reads from; none by default. Their drops and damage count as those of this source.
    var upstream: [any FrameSource] { get }

    /// Returns the next frame; `nil` at the end of the stream and after `stop`.
    ///
    /// Called by one thread at a time; may block until a frame arrives.
    ///
    /// - Throws: Any error ends the stream. A run reports an error other than `TexelError` as
    ///   `TexelError.source`.
    func next(_ stop: StopToken) throws -> SourceFrame?
}

extension FrameSource {
    public var upstream: [any FrameSource] { [] }

    /// Calls ``next(_:)`` and wraps errors of other types.
    func nextFrame(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        do { return try next(stop) } catch { throw TexelError(thrownBySource: error) }
    }
}

/// The properties of a stream that are known before its first frame is read.
public struct FrameFormat: Sendable, Hashable {
    /// The size of the first frame in pixels; in some sources later frames may differ.
    public var size: PixelSize
    /// Frames per second, on average if they are not evenly spaced; `nil` if unknown.
    public var rate: FrameRate?
    /// The lowest rate at which every frame starts at a multiple of the interval, if frames are not evenly spaced and
    /// it is known; otherwise `nil`.
    public var baseRate: FrameRate?
    /// Whether frames arrive in real time and become late if they are not taken: from a camera, a screen or a paced
    /// file.
    public var isLive: Bool
    /// The colour matrix and range of a YUV stream, for outputs that can store them.
    public var color: YUVColor?
    /// Whether frames are image files, each of which is decoded on one thread.
    public var isEncoded: Bool
    /// Whether later frames may have transparent pixels even if the first has none.
    public var hasAlpha = false
    /// The order of the two fields of every frame, by the headers of the stream; `nil` if frames are progressive or the
    /// order is only known frame by frame.
    public var fields: FieldOrder?
    /// The properties in a video's headers; `nil` for other sources.
    public var video: VideoInfo?

    /// Creates a format from its properties.
    public init(
        size: PixelSize, rate: FrameRate? = nil, isLive: Bool = false, color: YUVColor? = nil, isEncoded: Bool = false,
        fields: FieldOrder? = nil
    ) {
        self.size = size
        self.rate = rate
        self.isLive = isLive
        self.color = color
        self.isEncoded = isEncoded
        self.fields = fields
    }
}

/// One frame as a source returns it: its time, and the data that its pixels are made from.
public struct SourceFrame: ~Copyable, Sendable {
    /// The presentation time, from the start of the stream.
    public var time: Duration
    /// How long the frame is shown; `nil` if unknown.
    public var duration: Duration?
    /// The frame's number in its source, from 0.
    public var index: Int
    /// The order of the fields of an interlaced frame; `nil` for a progressive one.
    public var fields: FieldOrder?
    var content: FrameContent
    /// A second image to blend over the first.
    var overlay: FrameOverlay?

    init(_ content: consuming FrameContent, time: Duration, duration: Duration? = nil, index: Int) {
        self.content = content
        self.time = time
        self.duration = duration
        self.index = index
        self.fields = nil
        self.overlay = nil
    }

    /// Returns the content and discards the rest of the frame.
    consuming func takeContent() -> FrameContent { content }

    /// Creates a source frame from one that an application has rendered.
    public init(_ frame: consuming Frame) {
        self.init(frame: frame)
    }

    private init(frame: consuming Frame) {
        let (time, duration, index) = (frame.time, frame.duration, frame.index)
        self.init(.pixels(frame), time: time, duration: duration, index: index)
    }
}

/// A second image, blended into a frame.
struct FrameOverlay: ~Copyable, Sendable {
    var content: FrameContent
    /// The order of the fields if the content is interlaced.
    var fields: FieldOrder?
    /// The weight of the second image: 0 shows none of it, 256 nothing else.
    var weight: Int
}

/// The data that the pixels of a frame are made from.
enum FrameContent: ~Copyable, Sendable {
    /// Finished pixels.
    case pixels(Frame)
    /// Samples in memory.
    case samples(LeasedSamples)
    /// Samples in a file, from `offset` on.
    case fileSamples(SampleFile, offset: Int, SampleLayout)
    /// Samples in planes of a decoder.
    case planes(DecodedPlanes)
    /// One field of an interlaced frame, whose missing rows are interpolated.
    case field(DeinterlacedField)
    /// The bytes of an image file.
    case encoded(LeasedBytes)
    /// An image file.
    case file(FilePath)
    /// A page of an image file in memory, from 0.
    case page(InputBytes, Int)
    /// A generated test pattern.
    case pattern(TestPattern)

    /// Samples in memory, arranged as the layout says.
    static func samples(_ lease: consuming FrameLease, _ layout: SampleLayout) -> FrameContent {
        .samples(LeasedSamples(lease: lease, layout: layout))
    }

    /// An image file in the first `count` bytes of the lease.
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
