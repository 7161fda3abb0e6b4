import Synchronization
public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelPipeline
public import TexelPixels

/// Writes each frame to its own file: `out/00001.png`, `out/00002.png` and so on. Each file appears complete or not at
/// all.
///
/// Files are numbered in the order of delivery; dropped frames leave no gaps. Frames may differ in size.
public final class ImageSequenceSink: FrameSink {
    private let path: @Sendable (_ number: Int) -> FilePath
    /// Whether paths are made from a pattern, so that the user did not name each file.
    private let isNumbered: Bool
    private let encoding: ImageEncoding
    private let background: PixelColor
    private let replacement: Replacement
    private let nextNumber: Mutex<Int>

    /// Creates the directory if it is missing.
    ///
    /// - Parameters:
    ///   - names: The path pattern.
    ///   - encoding: The format and its options.
    ///   - firstNumber: The number of the first file; ffmpeg also starts at 1.
    ///   - background: The colour under transparent pixels in formats without alpha.
    ///   - replaces: Whether existing files may be replaced.
    ///   - inputs: Files that are never replaced, such as those of the source.
    /// - Throws: `alreadyExists` or `isInput` if the first file exists and may not be replaced;
    ///   `cannotCreate`.
    public convenience init(
        _ names: NumberedPath, as encoding: ImageEncoding, firstNumber: Int = 1,
        background: PixelColor = .white, replaces: Bool = false, inputs: [FilePath] = []
    ) throws(TexelError) {
        let replacement = Replacement(overwrites: replaces, except: inputs)
        try self.init({ names.path($0) }, isNumbered: true, encoding, firstNumber, background, replacement)
    }

    /// Creates a sink for a stream of one frame.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - encoding: The format and its options.
    ///   - background: The colour under transparent pixels in formats without alpha.
    ///   - replaces: Whether an existing file may be replaced.
    ///   - inputs: Files that are never replaced, such as that of the source.
    /// - Throws: `alreadyExists`, `isInput`, `cannotCreate`.
    public convenience init(
        only path: FilePath, as encoding: ImageEncoding, background: PixelColor = .white, replaces: Bool = false,
        inputs: [FilePath] = []
    ) throws(TexelError) {
        let replacement = Replacement(overwrites: replaces, except: inputs)
        try self.init({ _ in path }, isNumbered: false, encoding, 1, background, replacement)
    }

    private init(
        _ path: @escaping @Sendable (Int) -> FilePath, isNumbered: Bool, _ encoding: ImageEncoding, _ firstNumber: Int,
        _ background: PixelColor, _ replacement: Replacement
    ) throws(TexelError) {
        (self.path, self.isNumbered) = (path, isNumbered)
        // All files of a sequence have the same colour type, whatever their content, except that only frames with
        // transparent pixels have alpha.
        self.encoding = encoding.withoutReductions
        self.background = background
        self.replacement = replacement
        nextNumber = Mutex(firstNumber)
        let first = path(firstNumber)
        if let refusal = replacement.refusal(of: first, FileStatus(first)) { throw refusal }
        try first.removingLastComponent().makeDirectories()
    }

    public var isEncoder: Bool { true }

    public func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(self) }

    private func write(_ bytes: [UInt8]) throws(TexelError) {
        let number = nextNumber.withLock { number in
            defer { number += 1 }
            return number
        }
        let path = path(number)
        if isNumbered {
            try AtomicFile.write(
                bytes, to: path, below: path.removingLastComponent(), makesDirectories: false,
                replacing: replacement)
        } else {
            try AtomicFile.write(bytes, to: path, replacing: replacement)
        }
    }

    private final class Writer: FrameWriter {
        private let sink: ImageSequenceSink
        private var bytes: [UInt8] = []

        init(_ sink: ImageSequenceSink) { self.sink = sink }

        func prepare(_ frame: borrowing Frame) throws(TexelError) {
            bytes = try frame.encoded(as: sink.encoding, background: sink.background)
        }

        func write(_ frame: borrowing Frame) throws(TexelError) { try sink.write(bytes) }
    }
}
