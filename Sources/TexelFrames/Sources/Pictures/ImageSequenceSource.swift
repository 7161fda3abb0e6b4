import Synchronization
import SystemPackage
public import TexelCodecs
import TexelPipeline
import TexelPixels

/// Gives numbered pictures, or those that a pattern matches, one after another.
///
/// A picture is read when its frame is decoded. Its size may differ from that of the first.
public final class ImageSequenceSource: FrameSource {
    public let format: FrameFormat
    private let files: Files
    private let rate: FrameRate
    private let nextIndex = Atomic(0)

    private enum Files {
        case numbered(NumberedPath, first: Int)
        case listed([FilePath])

        /// The file of the frame of this number; `nil` behind the last.
        func path(_ index: Int) -> FilePath? {
            switch self {
            case .listed(let paths): index < paths.count ? paths[index] : nil
            case .numbered(let path, let first): path.existingPath(first + index)
            }
        }
    }

    /// - Parameters:
    ///   - description: a path with one number in it (`frames/%05d.png`), or a pattern of the shell (`frames/*.jpg`),
    ///     whose files come in natural order: 2 before 10; or a single file.
    ///   - rate: of the frames.
    ///   - firstNumber: of numbered files; without, the lowest from 0 to 4 that is there. The first number that is not
    ///     there ends the sequence.
    /// - Throws: `file(.missing)` when there is no picture at all, and what is wrong with the first.
    public init(
        _ description: String, rate: FrameRate = .standard, firstNumber: Int? = nil, limits: Limits = Limits()
    ) throws(FrameError) {
        if let path = NumberedPath(description) {
            let candidates = firstNumber.map { $0...$0 } ?? 0...4
            guard let first = candidates.first(where: { path.path($0).exists }) else {
                throw .file(.missing(path.path(firstNumber ?? 1)))
            }
            files = .numbered(path, first: first)
        } else {
            let found = InputExpansion.expand([description], isRecursive: false)
            // Directories that a pattern matches are not frames.
            guard !found.items.isEmpty else { throw .file(found.failures.first ?? .missing(FilePath(description))) }
            files = .listed(found.items.map(\.path).sorted(by: naturalOrder))
        }
        self.rate = rate
        guard let first = files.path(0) else { throw .file(.missing(FilePath(description))) }
        format = FrameFormat(size: try Self.size(of: first, limits: limits), rate: rate, isEncoded: true)
    }

    public func next(_ stop: FrameStop) -> SourceFrame? {
        guard !stop.isStopped else { return nil }
        let index = nextIndex.add(1, ordering: .relaxed).oldValue
        guard let path = files.path(index) else { return nil }
        return SourceFrame(.file(path), at: index, of: rate)
    }

    /// A picture's size as displayed.
    static func size(of path: FilePath, limits: Limits) throws(FrameError) -> PixelSize {
        do {
            return try ImageInfo.read(from: InputItem(path), limits: limits).info.displaySize
        } catch {
            throw FrameError(error)
        }
    }
}
