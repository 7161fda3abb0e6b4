import Synchronization
public import TexelCodecs
public import TexelCore
public import TexelPixels

/// Yields test images that show their frame numbers.
public final class PatternSource: FrameSource {
    /// Properties of the stream.
    public let format: FrameFormat
    private let size: PixelSize
    private let rate: FrameRate
    private let count: Int?
    private let nextIndex = Atomic(0)

    /// Creates a source of test images.
    ///
    /// - Parameters:
    ///   - size: The size in pixels.
    ///   - rate: The frame rate.
    ///   - count: The number of frames; `nil` for an endless stream.
    /// - Throws: `invalidSize` if a side is not positive or the number of bytes overflows.
    public init(size: PixelSize, rate: FrameRate = .standard, count: Int? = nil) throws(TexelError) {
        _ = try Frame.byteCount(size)
        self.size = size
        self.rate = rate
        self.count = count
        format = FrameFormat(size: size, rate: rate)
    }

    public func next(_ stop: StopToken) -> SourceFrame? {
        guard !stop.isStopped else { return nil }
        let index = nextIndex.add(1, ordering: .relaxed).oldValue
        if let count, index >= count { return nil }
        return SourceFrame(.pattern(TestPattern(size: size, step: index)), at: index, of: rate)
    }
}
