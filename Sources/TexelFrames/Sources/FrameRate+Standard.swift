extension FrameRate {
    /// What pictures have that say nothing of time: 25 a second, as with ffmpeg.
    public static let standard = FrameRate(whole: 25)

    private init(whole frames: Int) {
        self.frames = frames
        seconds = 1
    }

    /// The rate without common factors; `nil` unless it fits 32 bits then.
    init?(reducing frames: Int, per seconds: Int) {
        guard frames > 0, seconds > 0 else { return nil }
        var (divisor, rest) = (frames, seconds)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        self.init(frames / divisor, per: seconds / divisor)
    }
}

extension SourceFrame {
    /// The frame of this number in a stream whose frames come evenly.
    init(_ content: consuming FrameContent, at index: Int, of rate: FrameRate) {
        let time = rate.time(ofFrame: index)
        self.init(content, time: time, duration: rate.time(ofFrame: index + 1) - time, index: index)
    }
}
