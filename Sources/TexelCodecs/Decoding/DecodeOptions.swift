/// How much damage a decoder accepts.
public enum Strictness: String, Sendable, Hashable, Codable, CaseIterable {
    /// Accepts anything that can be decoded.
    case none
    /// Rejects missing rows; accepts minor defects and damaged pixels.
    case truncated
    /// Also rejects damaged pixels.
    case error
    /// Rejects every warning.
    case warning
}

/// Options for decoding.
public struct DecodeOptions: Sendable {
    /// The limits on the file and on memory.
    public var limits = Limits()
    /// How much damage is accepted.
    public var strictness = Strictness.truncated
    /// The divisor for both sides, one of ``ImageInfo/decodeScales``.
    public var shrink = 1
    /// Whether to read the scans of a progressive file that the reduced image does not need, so that damage in them is
    /// detected. ``Strictness/error`` and ``Strictness/warning`` imply it.
    package var readsUnneededScans = false
    /// The frame of an animation to decode, from 0, as displayed; `nil` decodes the default image. Frame 0 of a still
    /// image is the image.
    public var frame: Int?
    /// Polled between bands of rows and inside the codecs.
    public var stop: StopToken?
    /// Counts the rows of an image that is read as a whole.
    package var rowCounter: RowCounter?

    /// Creates the default options.
    public init() {}

    /// Whether scans that are not needed may be skipped.
    package var skipsScans: Bool { !readsUnneededScans && (strictness == .none || strictness == .truncated) }
}
