extension FrameRate {
    /// The rate of images that carry no timing: 25 frames per second, ffmpeg's default.
    public static let standard = FrameRate(whole: 25)

    private init(whole frames: Int) {
        self.frames = frames
        seconds = 1
    }

    /// Creates a rate from a fraction reduced to lowest terms; `nil` unless both terms are positive and fit 32 bits.
    init?(reducing frames: Int, per seconds: Int) {
        guard frames > 0, seconds > 0 else { return nil }
        var (divisor, rest) = (frames, seconds)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        self.init(frames / divisor, per: seconds / divisor)
    }
}

extension SourceFrame {
    /// Creates a frame of a stream with a constant rate.
    init(_ content: consuming FrameContent, at index: Int, of rate: FrameRate) {
        let time = rate.time(ofFrame: index)
        self.init(content, time: time, duration: rate.time(ofFrame: index + 1) - time, index: index)
    }
}
