public import TexelCore

/// Options for decoding.
public struct DecodeOptions: Sendable {
    /// The limits, and how much damage is accepted.
    public var policy = DecodePolicy()
    /// The divisor for both sides, one of ``ImageInfo/decodeScales``.
    public var shrink = 1
    /// Whether to read the scans of a progressive file that the reduced image does not need, so that damage in them is
    /// detected. ``Strictness/error`` and ``Strictness/warning`` imply it.
    package var readsUnneededScans = false
    /// The frame of an animation to decode, from 0, as displayed, or the page of a file with pages; `nil` decodes the
    /// default image. Frame 0 of a still image is the image.
    public var frame: Int?
    /// Whether samples of more than 8 bits are dithered when they become bytes, instead of rounded. Codecs without
    /// ``CodecCapabilities/dithers`` ignore it.
    public var dithers = false
    /// The maximum number of threads; the pixels do not depend on it.
    public var parallelism = 1
    /// Polled between bands of rows and inside the codecs.
    public var stop: StopToken?
    /// Counts the rows of an image that is read as a whole.
    package var rowCounter: RowCounter?

    /// Creates the default options.
    public init() {}

    /// Whether scans that are not needed may be skipped.
    package var skipsScans: Bool {
        !readsUnneededScans && (policy.strictness == .none || policy.strictness == .truncated)
    }
}
