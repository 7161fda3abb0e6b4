/// A number of frames per second, as a fraction.
public struct FrameRate: Sendable, Hashable, Codable {
    /// The numerator: the number of frames in ``seconds`` seconds.
    public var frames: Int
    /// The denominator, in seconds.
    public var seconds: Int

    /// Creates a rate; `nil` unless both terms are positive and fit 32 bits.
    public init?(_ frames: Int, per seconds: Int = 1) {
        guard (1...Int(UInt32.max)).contains(frames), (1...Int(UInt32.max)).contains(seconds) else { return nil }
        self.frames = frames
        self.seconds = seconds
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let terms = try container.decode([Int].self)
        guard terms.count == 2, let rate = FrameRate(terms[0], per: terms[1]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid rate")
        }
        self = rate
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([frames, seconds])
    }

    /// Parses a fraction such as `30000/1001`; `nil` for any other text.
    package init?(fraction: String, separator: Character = "/") {
        let parts = fraction.split(separator: separator, omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let frames = parts[0], let seconds = parts[1] else { return nil }
        self.init(frames, per: seconds)
    }

    /// When a frame starts, rounded to a nanosecond. Computed from the index, so that rounding errors do not
    /// accumulate.
    public func time(ofFrame index: Int) -> Duration {
        let (whole, rest) = (index * seconds).quotientAndRemainder(dividingBy: frames)
        return .seconds(whole) + .nanoseconds((Int64(rest) * 1_000_000_000 + Int64(frames / 2)) / Int64(frames))
    }

    /// The duration of a frame.
    public var interval: Duration { time(ofFrame: 1) }

    /// Returns the interval that a frame falls into when at most one frame of each is kept. Each interval starts a
    /// quarter of its length early, so that frames with rounded times stay evenly spaced.
    ///
    /// - Parameter time: the time of the frame after the first one.
    /// - Returns: the number of the interval, from 0.
    package func limitedInterval(at time: Duration) -> Int128 {
        let quarters = time.attoseconds / 1_000_000_000 * Int128(frames) * 4 / (Int128(seconds) * 1_000_000_000)
        return (quarters + 1) / 4
    }
}

extension FrameRate: CustomStringConvertible {
    public var description: String { seconds == 1 ? "\(frames)" : "\(frames)/\(seconds)" }
}

extension FrameRate {
    /// The rate of images that carry no timing: 25 frames per second, ffmpeg's default.
    public static let standard = FrameRate(whole: 25)

    private init(whole frames: Int) {
        self.frames = frames
        seconds = 1
    }

    /// Creates a rate from a fraction reduced to lowest terms; `nil` unless both terms are positive and fit 32 bits.
    package init?(reducing frames: Int, per seconds: Int) {
        guard frames > 0, seconds > 0 else { return nil }
        var (divisor, rest) = (frames, seconds)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        self.init(frames / divisor, per: seconds / divisor)
    }
}
