import Synchronization
public import TexelPixels

/// Gives a test picture whose frames tell their numbers.
public final class PatternSource: FrameSource {
    public let format: FrameFormat
    private let size: PixelSize
    private let rate: FrameRate
    private let count: Int?
    private let nextIndex = Atomic(0)

    /// - Parameter count: how many frames there are; endless without.
    /// - Throws: `pixels(.invalidSize)` when a side is not positive or the bytes overflow.
    public init(size: PixelSize, rate: FrameRate = .standard, count: Int? = nil) throws(FrameError) {
        _ = try Frame.byteCount(size)
        self.size = size
        self.rate = rate
        self.count = count
        format = FrameFormat(size: size, rate: rate)
    }

    public func next(_ stop: FrameStop) -> SourceFrame? {
        guard !stop.isStopped else { return nil }
        let index = nextIndex.add(1, ordering: .relaxed).oldValue
        if let count, index >= count { return nil }
        return SourceFrame(.pattern(TestPattern(size: size, step: index)), at: index, of: rate)
    }
}
