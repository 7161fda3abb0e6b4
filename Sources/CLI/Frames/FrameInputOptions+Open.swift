import Texel
import TexelCore
import TexelFrames

extension FrameInputOptions {
    /// Opens the source that a name stands for.
    ///
    /// - Parameter stop: ends the wait for the first bytes.
    func open(_ name: String, limits: LimitOptions, stop: StopToken) throws(TexelError) -> any FrameSource {
        var options = StreamOptions()
        options.rate = rate?.rate
        options.firstNumber = firstNumber
        options.matrix = matrix
        options.range = range
        options.limits = limits.limits
        options.isolation = limits.videoIsolation
        options.stallLimit = stallTimeout?.duration
        return try FrameSourceFactory.open(name, layout: layout, options: options, stop: stop)
    }

    /// The layout of raw frames.
    private var layout: SampleLayout? {
        guard let size = size?.size, let pixelFormat else { return nil }
        let color = YUVColorChoice(matrix: matrix, range: range).color(of: size)
        return SampleLayout(pixelFormat.sampleFormat(color), size)
    }
}
