public import TexelCodecs

/// How the frames of a stream were made evenly spaced for an output that stores no times.
public struct RateConversion: Sendable, Hashable {
    /// The rate of the output.
    public var rate: FrameRate
    /// How many repetitions of frames were written.
    public var framesRepeated = 0
    /// How many frames were left out because the next one came too soon after them.
    public var framesOmitted = 0
    /// How often a time went back, or forward by more than 15 minutes, so that it was not followed.
    public var jumps = 0

    init(rate: FrameRate) { self.rate = rate }

    /// Whether every frame was written once.
    public var isEmpty: Bool { framesRepeated + framesOmitted + jumps == 0 }
}

extension RateConversion: CustomStringConvertible {
    public var description: String {
        func count(_ number: Int, _ name: String, _ verb: String) -> String? {
            number == 0 ? nil : "\(number) \(name)\(number == 1 ? " was" : "s were") \(verb)"
        }
        let changes = [
            count(framesRepeated, "repetition", "added"), count(framesOmitted, "frame", "left out"),
            count(jumps, "jump", "ignored"),
        ].compactMap(\.self)
        let spacing = "frames are not evenly spaced, and the output stores no times"
        return "\(spacing): at \(rate) frames per second, \(changes.joined(separator: " and "))"
    }
}
