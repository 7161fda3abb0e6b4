import Synchronization
public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelFormats
import TexelPipeline
import TexelPixels

/// Yields the pages of an image file, such as a TIFF, one after another. Sizes may differ.
public final class PageSource: FrameSource {
    /// Properties of the stream; the size is that of the first page.
    public let format: FrameFormat
    private let bytes: InputBytes
    private let pageCount: Int
    private let rate: FrameRate
    private let nextIndex = Atomic(0)

    /// Opens an image file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - rate: The frame rate.
    ///   - limits: The limits for reading the file and its first header.
    /// - Throws: errors of the file if it cannot be read; errors of the codec if the header of the first page is
    ///   invalid.
    public init(
        _ path: FilePath, rate: FrameRate = .standard, limits: Limits = Limits()
    ) throws(TexelError) {
        let bytes = try InputReader.read(path, limit: limits.inputBytes)
        self.bytes = bytes
        let info = try CodecRegistry.shared.open(bytes, limits: limits).info
        pageCount = info.pageCount
        self.rate = rate
        format = FrameFormat(size: info.displaySize, rate: rate, isEncoded: true)
    }

    public func next(_ stop: StopToken) -> SourceFrame? {
        guard !stop.isStopped else { return nil }
        let index = nextIndex.add(1, ordering: .relaxed).oldValue
        return index < pageCount ? SourceFrame(.page(bytes, index), at: index, of: rate) : nil
    }
}
