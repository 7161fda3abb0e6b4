import Synchronization
public import TexelCodecs
import TexelPipeline
public import TexelPixels

/// Writes each frame into a file of its own: `out/00001.png`, `out/00002.png` and so on, each whole or not there.
///
/// The numbers follow the frames that arrive; dropped ones leave no gap. Frames may have different sizes.
public final class ImageSequenceSink: FrameSink {
    private let pattern: FrameNamePattern
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
    public init(
        _ pattern: FrameNamePattern, as encoding: ImageEncoding, firstNumber: Int = 1,
        background: PixelColor = .black, replaces: Bool = false
    ) throws(FrameError) {
        self.pattern = pattern
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
        let first = pattern.path(for: firstNumber)
        if !replaces, first.exists { throw .file(.alreadyExists(first)) }
        do { try first.removingLastComponent().makeDirectories() } catch { throw .file(error) }
    }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(self) }

    private func write(_ bytes: [UInt8]) throws(FrameError) {
        let number = nextNumber.withLock { number in
            defer { number += 1 }
            return number
        }
        do {
            try AtomicFile.write(bytes, to: pattern.path(for: number), replacing: replaces)
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
