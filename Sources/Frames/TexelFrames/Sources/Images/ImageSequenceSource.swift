import Synchronization
import SystemPackage
import TexelBatch
public import TexelCodecs
public import TexelCore
import TexelPipeline
import TexelPixels

/// Yields numbered image files, or those that match a pattern, one after another.
///
/// A file is read when its frame is decoded. Sizes may differ.
public final class ImageSequenceSource: FrameSource {
    /// Properties of the stream; the size is that of the first image.
    public let format: FrameFormat
    private let files: Files
    private let rate: FrameRate
    private let nextIndex = Atomic(0)

    private enum Files {
        case numbered(NumberedPath, first: Int)
        case listed([FilePath])

        /// - Throws: errors of the file if no image is found.
        init(_ description: String, firstNumber: Int?) throws(TexelError) {
            guard let path = NumberedPath(description) else {
                let found = InputExpansion.expand([description], isRecursive: false)
                // Expansion already excludes directories that match the pattern.
                guard !found.items.isEmpty else { throw found.failures.first ?? .missingFile(FilePath(description)) }
                self = .listed(found.items.map(\.path).sorted(by: naturalOrder))
                return
            }
            guard let first = firstNumber ?? path.existingNumbers().first, path.existingPath(first) != nil else {
                throw .missingFile(path.path(firstNumber ?? 1))
            }
            self = .numbered(path, first: first)
        }

        /// The file of the frame at this index; `nil` after the last. Numbered files may still appear.
        ///
        /// - Throws: `missingImage`.
        func path(_ index: Int) throws(TexelError) -> FilePath? {
            switch self {
            case .listed(let paths): return index < paths.count ? paths[index] : nil
            case .numbered(let path, let first):
                let number = first + index
                if let found = path.existingPath(number) { return found }
                guard let next = path.existingNumbers().first(where: { $0 > number }) else { return nil }
                throw .missingImage(path.path(number), next: path.path(next))
            }
        }

        /// All files that exist now.
        var existing: [FilePath] {
            switch self {
            case .listed(let paths): paths
            case .numbered(let path, _): path.existingNumbers().map(path.path)
            }
        }
    }

    /// Opens a sequence and reads the size of its first image.
    ///
    /// - Parameters:
    ///   - description: A path with one number in it (`frames/%05d.png`), a shell pattern (`frames/*.jpg`), whose files
    ///     come in natural order (2 before 10), or a single file.
    ///   - rate: The frame rate.
    ///   - firstNumber: The first number of a numbered sequence; `nil` for the lowest existing one. The sequence ends
    ///     after its highest number, and fails at a number without a file before that.
    ///   - limits: The limits for reading the first image.
    /// - Throws: `missingFile` if no image is found; errors of the file or errors of the codec if the first one
    ///   cannot be read.
    public init(
        _ description: String, rate: FrameRate = .standard, firstNumber: Int? = nil, limits: Limits = Limits()
    ) throws(TexelError) {
        files = try Files(description, firstNumber: firstNumber)
        self.rate = rate
        guard let first = try files.path(0) else { throw .missingFile(FilePath(description)) }
        format = FrameFormat(size: try Self.size(of: first, limits: limits), rate: rate, isEncoded: true)
    }

    /// The files of a sequence; empty if no image is found.
    static func paths(_ description: String) -> [FilePath] {
        (try? Files(description, firstNumber: nil))?.existing ?? []
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        guard !stop.isStopped else { return nil }
        let index = nextIndex.add(1, ordering: .relaxed).oldValue
        guard let path = try files.path(index) else { return nil }
        return SourceFrame(.file(path), at: index, of: rate)
    }

    /// The size of an image as displayed, after its EXIF orientation.
    static func size(of path: FilePath, limits: Limits) throws(TexelError) -> PixelSize {
        return try ImageInfo.read(from: InputItem(path), limits: limits).info.displaySize
    }
}
