import TexelCodecs

extension FrameFormat {
    /// The rate of outputs that store no times; `nil` if unknown, or so high that it cannot be right.
    ///
    /// At the base rate no frame is left out, but it can be far above the number of frames, such as 1000 for times in
    /// whole milliseconds.
    var outputRate: FrameRate? {
        let usual = baseRate.flatMap { base in
            base.isAtMost(60) || rate.map { base.isAtMost($0.frames, per: $0.seconds) } ?? false ? base : nil
        }
        return (usual ?? rate).flatMap { $0.isAtMost(1000) ? $0 : nil }
    }
}

extension FrameRate {
    /// Whether this rate is not above another one.
    func isAtMost(_ frames: Int, per seconds: Int = 1) -> Bool {
        // The product of two 32-bit numbers may overflow an Int.
        Int128(self.frames) * Int128(seconds) <= Int128(frames) * Int128(self.seconds)
    }
}
