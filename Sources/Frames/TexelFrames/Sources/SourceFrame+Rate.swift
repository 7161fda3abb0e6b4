import TexelCodecs

extension SourceFrame {
    /// Creates a frame of a stream with a constant rate.
    init(_ content: consuming FrameContent, at index: Int, of rate: FrameRate) {
        let time = rate.time(ofFrame: index)
        self.init(content, time: time, duration: rate.time(ofFrame: index + 1) - time, index: index)
    }
}
