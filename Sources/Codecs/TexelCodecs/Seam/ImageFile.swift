public import TexelCore
import TexelPixels

/// A file of one format whose header has been read.
///
/// Optional abilities are further protocols: `AnimatedImageFile`, `PlanarImageFile`, `CoefficientImageFile`,
/// `RecompressibleImageFile`, `StoringImageFile`, `ProgressiveImageFile`.
public protocol ImageFile: Sendable {
    /// The properties in the header.
    var info: ImageInfo { get }

    /// The file.
    var bytes: InputBytes { get }

    /// Whether the bytes that determine ``info`` have arrived. If not, more of them may change it.
    var holdsWholeHeader: Bool { get }

    /// Whether the file may have several pages.
    var mayHavePages: Bool { get }

    /// Creates a decoder that is positioned before the first row. Callers use ``decoder(_:)``, which checks the
    /// options.
    ///
    /// - Parameter options: the limits, the frame, and the scale, which is one of ``ImageInfo/decodeScales``.
    /// - Throws: `missingFrame` if the file does not have the frame; any error of opening the file.
    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder

    /// Returns the file with other metadata and identical pixel data.
    ///
    /// - Parameters:
    ///   - metadata: replaces the file's own.
    ///   - keeping: what else of the file is kept.
    ///   - stop: polled while waiting.
    /// - Throws: `stopped`, while waiting for the whole file.
    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8]

    /// Returns what the file holds besides its image.
    ///
    /// - Throws: `stopped`, while waiting for the whole file.
    func attachments(_ stop: StopToken?) throws(TexelError) -> Set<ImageAttachment>
}

extension ImageFile {
    public var holdsWholeHeader: Bool { true }

    public var mayHavePages: Bool { (self as? any PagedImageFile).map { !$0.isPage } ?? false }

    public func attachments(_ stop: StopToken?) throws(TexelError) -> Set<ImageAttachment> { [] }
}

/// A file that is rewritten without being copied in memory.
package protocol StreamedImageFile: ImageFile {
    /// Writes the file with other metadata and identical pixel data.
    ///
    /// - Parameters:
    ///   - metadata: replaces the file's own.
    ///   - keeping: what else of the file is kept.
    ///   - stop: polled while waiting.
    /// - Throws: `stopped`, while waiting for the whole file; `stopped(.outputFailed)`.
    func rewrite(
        metadata: WrittenMetadata, keeping: KeptParts, to sink: OutputSink, stop: StopToken?
    ) throws(TexelError)
}

extension StreamedImageFile {
    public func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        let sink = OutputSink()
        try rewrite(metadata: metadata, keeping: keeping, to: sink, stop: stop)
        return sink.finish().inMemory
    }
}

/// The parts of the original that a rewritten file keeps besides the pixels.
public struct KeptParts: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The colour profile, or other information about the colours.
    public static let color = KeptParts(rawValue: 1 << 0)
    /// The ``ImageFile/attachments(_:)``.
    public static let attachments = KeptParts(rawValue: 1 << 1)
}

/// A file whose number of images is known only when all of it has arrived.
package protocol PagedImageFile: ImageFile {
    /// Whether this is one image of a file, as if it were the only one.
    var isPage: Bool { get }

    /// Returns the number of images; waits for the whole file. ``ImageInfo/pageCount`` is 1 until it has arrived.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    func pageCount(_ stop: StopToken?) throws(TexelError) -> Int

    /// Returns an image as if it were the only one of its file, with its own size and metadata.
    ///
    /// - Parameter index: from 0.
    /// - Throws: `missingPage`, an error of the image's header, `limitExceeded`, `stopped`.
    func page(_ index: Int, _ stop: StopToken?) throws(TexelError) -> any ImageFile
}

/// A file of a format that stores animations.
package protocol AnimatedImageFile: ImageFile {
    /// Finds the frames; decodes no pixels. Waits for the whole file.
    ///
    /// - Returns: `nil` for a still image.
    /// - Throws: an error in the header or before the end of the first frame; `limitExceeded`.
    func animation(limits: Limits) throws(TexelError) -> (any ImageAnimation)?
}

/// A file whose luma and chroma planes can be decoded without conversion to pixels.
///
/// The planner calls it only if ``ImageInfo/hasPlanes`` is set.
package protocol PlanarImageFile: ImageFile {
    /// Creates a decoder of the planes.
    ///
    /// - Throws: any error of opening the file.
    func planeDecoder(_ options: DecodeOptions) throws(TexelError) -> any PlaneDecoder
}

/// A file whose coefficients can be moved without decoding them to pixels.
///
/// The planner calls it only if ``ImageInfo/coefficientLayout`` is set.
package protocol CoefficientImageFile: ImageFile {
    /// Crops, turns and mirrors the image.
    ///
    /// - Parameters:
    ///   - move: the transform, aligned to the grid of ``ImageInfo/coefficientLayout``.
    ///   - settings: how to code the coefficients; the quality and the subsampling stay those of the file.
    /// - Returns: the new file and the accepted warnings; `nil` if the coefficients cannot be moved.
    /// - Throws: `limitExceeded`, `outOfMemory`, `stopped`.
    func moved(
        _ move: CoefficientMove, settings: EncodingSettings, metadata: WrittenMetadata, keeping: KeptParts,
        options: DecodeOptions
    ) throws(TexelError) -> (bytes: [UInt8], warnings: [String])?
}

/// A file whose samples or coefficients can be compressed again without loss, at their own depth and with all frames.
package protocol RecompressibleImageFile: ImageFile {
    /// Compresses the file again.
    ///
    /// - Parameters:
    ///   - settings: the effort, and the coding process if set.
    ///   - options: the limits and the stop token; rows are counted while they are read.
    /// - Throws: `limitExceeded`, `stopped`, `outOfMemory`.
    func recompressed(
        settings: EncodingSettings, metadata: WrittenMetadata, keeping: KeptParts, options: DecodeOptions,
        parallelism: Int, progress: EncodingProgress?
    ) throws(TexelError) -> Recompressed
}

/// The result of compressing a file again without changing a sample.
package enum Recompressed: Sendable {
    /// The new file.
    case file([UInt8])
    /// All samples are 16-bit values that 8 bits store exactly; encode the decoded pixels instead.
    case fitsEightBits
    /// The pixels are damaged, or the format does not support this.
    case impossible
}

/// A file that may store a file of another format exactly.
///
/// The planner calls it only if ``ImageInfo/storedFormat`` is set.
package protocol StoringImageFile: ImageFile {
    /// Restores the stored file byte for byte; waits for the whole file.
    ///
    /// - Parameter options: the limits and the stop token.
    /// - Returns: `nil` if it cannot be restored exactly.
    /// - Throws: `limitExceeded`, `missingLibrary`, `outOfMemory`, `stopped`.
    func storedFile(_ options: DecodeOptions) throws(TexelError) -> [UInt8]?
}

/// A file that can be shown at increasing quality while its bytes arrive.
package protocol ProgressiveImageFile: ImageFile {
    /// Returns the scans of the file; `nil` if it has none.
    ///
    /// - Parameter limit: the number of scans after which to stop (``Limits/scans``).
    func scans(limit: Int) -> (any ImageScans)?
}

/// Finds the scans of a progressive image as they arrive, and makes files of the image so far. Never blocks.
package protocol ImageScans: Sendable {
    /// The numbers of scans after which a preview is useful: it is complete, in colour, and clearly finer than the one
    /// before. At most four; never all scans.
    var worthwhile: [Int] { get }

    /// Reads the bytes that have arrived since the last call.
    ///
    /// - Returns: whether ``worthwhile`` has a new entry.
    @discardableResult mutating func advance() -> Bool

    /// Returns the image with the first `count` scans, as if the file ended there; `nil` if they are not complete.
    func preview(after count: Int) -> (any ImageFile)?
}
