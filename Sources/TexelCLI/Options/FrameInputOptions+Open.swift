import Texel
import TexelFrames

extension FrameInputOptions {
    /// Opens the source that a name means.
    ///
    /// - Parameter stop: ends the waiting for the first bytes.
    func open(_ name: String, limits: Limits, stop: FrameStop) throws(FrameError) -> any FrameSource {
        let rate = rate?.rate ?? .standard
        if let size = Self.patternSize(name) { return try PatternSource(size: size, rate: rate) }
        let path = FilePath(name)
        if path.isDirectory { return try DirectorySource(path, limits: limits, stop: stop) }
        if Self.isSequence(name) { return try ImageSequenceSource(name, rate: rate, limits: limits) }
        if name != "-", !name.contains("://"), !path.exists { throw .file(.missing(path)) }
        if layout == nil, (try? ImageFormat(sniffing: InputReader.head(of: path))) == .png {
            return try AnimatedPNGSource(path, limits: limits)
        }
        var options = StreamOptions()
        options.rate = self.rate?.rate
        options.matrix = matrix
        options.range = range
        options.limits = limits
        options.stallLimit = stallTimeout?.duration
        return try FrameSourceOpening.open(name, layout: layout, options: options, stop: stop)
    }

    /// Of raw frames.
    private var layout: SampleLayout? {
        guard let size = size?.size, let pixelFormat else { return nil }
        let color = YUVColorChoice(matrix: matrix, range: range).color(for: FrameStream(size: size))
        return SampleLayout(pixelFormat.sampleFormat(color), size)
    }

    /// `nil` unless the name is `pattern:WIDTHxHEIGHT`.
    static func patternSize(_ name: String) -> PixelSize? {
        guard name.hasPrefix(patternPrefix) else { return nil }
        return SizeArgument(argument: String(name.dropFirst(patternPrefix.count)))?.size
    }

    static let patternPrefix = "pattern:"

    /// Whether the name stands for several files.
    private static func isSequence(_ name: String) -> Bool {
        name != "-" && !FilePath(name).exists
            && (NumberedPath(name) != nil || name.contains { "*?[".contains($0) } && !name.contains("://"))
    }
}
