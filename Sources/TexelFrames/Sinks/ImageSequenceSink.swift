import Synchronization
public import SystemPackage
public import TexelCodecs
import TexelPipeline
public import TexelPixels

/// Writes each frame into a file of its own: `out/00001.png`, `out/00002.png` and so on, each whole or not there.
///
/// The numbers follow the frames that arrive; dropped ones leave no gap. Frames may have different sizes.
public final class ImageSequenceSink: FrameSink {
    private let path: @Sendable (_ number: Int) -> FilePath
    /// Whether files are named by numbers, so that none of them was named itself.
    private let isNumbered: Bool
    private let encoding: ImageEncoding
    private let background: PixelColor
    private let replaces: Bool
    private let nextNumber: Mutex<Int>

    /// Makes the directory where it is missing.
    ///
    /// - Parameters:
    ///   - firstNumber: of the first frame; 1 is what ffmpeg writes.
    ///   - background: what lies behind transparent pixels in JPEGs.
    ///   - replaces: whether existing files may be replaced.
    /// - Throws: `file(.alreadyExists)` when the first file is there, `file(.cannotCreate)`.
    public convenience init(
        _ names: NumberedPath, as encoding: ImageEncoding, firstNumber: Int = 1,
        background: PixelColor = .white, replaces: Bool = false
    ) throws(FrameError) {
        try self.init({ names.path($0) }, isNumbered: true, encoding, firstNumber, background, replaces)
    }

    /// One file, for a stream of one frame.
    ///
    /// - Throws: `file(.alreadyExists)`, `file(.cannotCreate)`.
    public convenience init(
        only path: FilePath, as encoding: ImageEncoding, background: PixelColor = .white, replaces: Bool = false
    ) throws(FrameError) {
        try self.init({ _ in path }, isNumbered: false, encoding, 1, background, replaces)
    }

    private init(
        _ path: @escaping @Sendable (Int) -> FilePath, isNumbered: Bool, _ encoding: ImageEncoding, _ firstNumber: Int,
        _ background: PixelColor, _ replaces: Bool
    ) throws(FrameError) {
        (self.path, self.isNumbered) = (path, isNumbered)
        // All files are of one kind, whatever happens to be in them.
        switch encoding {
        case .png(var options):
            options.reducesLosslessly = false
            self.encoding = .png(options)
        case .jpeg(var options):
            options.reducesLosslessly = false
            self.encoding = .jpeg(options)
        }
        self.background = background
        self.replaces = replaces
        nextNumber = Mutex(firstNumber)
        let first = path(firstNumber)
        if !replaces, first.exists { throw .file(.alreadyExists(first)) }
        do { try first.removingLastComponent().makeDirectories() } catch { throw .file(error) }
    }

    public var isEncoder: Bool { true }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(self) }

    private func write(_ bytes: [UInt8]) throws(FrameError) {
        let number = nextNumber.withLock { number in
            defer { number += 1 }
            return number
        }
        do {
            let path = path(number)
            if isNumbered {
                try AtomicFile.write(
                    bytes, to: path, below: path.removingLastComponent(), makesDirectories: false, replacing: replaces)
            } else {
                try AtomicFile.write(bytes, to: path, replacing: replaces)
            }
        } catch {
            throw .file(error)
        }
    }

    private final class Writer: FrameWriter {
        private let sink: ImageSequenceSink
        private var bytes: [UInt8] = []

        init(_ sink: ImageSequenceSink) { self.sink = sink }

        func prepare(_ frame: borrowing Frame) throws(FrameError) {
            bytes = try frame.encoded(as: sink.encoding, background: sink.background)
        }

        func write(_ frame: borrowing Frame) throws(FrameError) { try sink.write(bytes) }
    }
}
