public import TexelCodecs
import TexelCore

/// Which frames of an animation a result has, in which order, and how fast they are shown.
///
/// The changes are made in the order of the properties. Other images are not changed.
public struct Playback: Sendable, Hashable, Codable {
    /// The frames of the result, from 0, as ranges of which each may also repeat frames of others; `nil` for all. A
    /// range up to `Int.max` ends with the last frame.
    public var ranges: [ClosedRange<Int>]?
    /// Keeps the first of so many frames, which is shown in place of the others.
    public var step = 1
    /// How many times faster the frames are shown. In a GIF, whose viewers slow down frames of less than 20 ms, frames
    /// are left out where there would be more than 50 in a second.
    public var speed = 1.0
    /// The number of frames per second at most. Those between are left out; the frames before are shown in their place.
    public var maximumRate: FrameRate?
    /// Whether the last frame comes first.
    public var isReversed = false
    /// Whether the frames are followed by those between the last and the first, backwards.
    public var playsBackAndForth = false
    /// The number of times that the result is played, 0 for endless; `nil` as the input.
    public var playCount: Int?

    /// Makes a playback of all frames as they are.
    public init() {}

    /// The values that ``speed`` may have.
    public static let speeds = 0.01...100.0

    /// Whether frames are shown for another time than in the input.
    var changesTimes: Bool { step > 1 || speed != 1 || maximumRate != nil }

    /// Whether a frame may follow one that comes after it in the input.
    var mayGoBack: Bool { isReversed || playsBackAndForth || (ranges?.count ?? 0) > 1 }

    /// - Throws: `invalidParameter`; `missingFrame` if the image is not an animation and a range has more than its only
    ///   frame.
    func check(for info: ImageInfo) throws(TexelError) {
        if !Self.speeds.contains(speed) {
            throw .invalidParameter(
                "the speed", value: "\(speed)",
                allowed: "between \(Self.speeds.lowerBound) and \(Self.speeds.upperBound)")
        }
        if step < 1 { throw .invalidParameter("the step of frames", value: "\(step)", allowed: "at least 1") }
        if let playCount, playCount < 0 {
            throw .invalidParameter("the number of plays", value: "\(playCount)", allowed: "at least 0")
        }
        guard !info.isAnimation, let ranges else { return }
        for range in ranges { _ = try range.frames(of: 1) }
    }
}

extension ClosedRange<Int> {
    /// The frames of an animation that the range names.
    ///
    /// - Throws: `missingFrame`.
    func frames(of count: Int) throws(TexelError) -> Range<Int> {
        let last = upperBound == .max ? count - 1 : upperBound
        for frame in [lowerBound, last] where !(0..<count).contains(frame) { throw .missingFrame(frame, count: count) }
        guard lowerBound <= last else { throw .missingFrame(lowerBound, count: count) }
        return lowerBound..<(last + 1)
    }
}
