/// How much damage a decoder accepts.
public enum Strictness: String, Sendable, Hashable, Codable, CaseIterable {
    /// Whatever can be decoded is a picture.
    case none
    /// Missing rows are an error; a writer's harmless slips are not.
    case truncated
    /// Damaged pixels are an error as well.
    case error
    /// So is every warning.
    case warning
}

/// How to decode.
public struct DecodeOptions: Sendable {
    public var limits = Limits()
    public var strictness = Strictness.truncated
    /// Divides both sides of a JPEG while decoding: 1, 2, 4 or 8. Other formats ignore it.
    public var shrink = 1
    /// Whether scans of a progressive JPEG that the shrunken picture does not need are looked at all the same, so that
    /// no damage in them goes unnoticed. The stricter half of ``strictness`` implies it.
    package var readsUnneededScans = false
    /// Which frame of an animation is decoded, from 0, as it is displayed; `nil` is the default image. Frame 0 of a
    /// still image is the image.
    public var frame: Int?
    /// Asked between bands of rows and inside the codecs.
    public var stopCheck: StopCheck?
    /// Counts the rows of a picture that is read as a whole.
    package var rowCounter: RowCounter?

    public init() {}

    /// Whether the unneeded scans may be left out.
    var skipsScans: Bool { !readsUnneededScans && (strictness == .none || strictness == .truncated) }
}

/// A question that long work asks now and then: must I stop, and why?
public final class StopCheck: Sendable {
    private let question: @Sendable () -> StopReason?

    public init(_ question: @escaping @Sendable () -> StopReason?) { self.question = question }

    public var reason: StopReason? { question() }

    /// - Throws: `stopped` when there is a reason to.
    package func check() throws(CodecError) {
        if let reason { throw .stopped(reason) }
    }

    /// For the C side of the fence; `context` is this object, kept alive by the codec's owner.
    static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { context in
        guard let context else { return false }
        return Unmanaged<StopCheck>.fromOpaque(context).takeUnretainedValue().reason != nil
    }
}

extension StopCheck? {
    var context: UnsafeMutableRawPointer? { self.map { Unmanaged.passUnretained($0).toOpaque() } }
}
