import TexelCodecs
import TexelCore
import TexelPixels

/// Writes one JPEG from opaque rows.
protocol JPEGRowWriter: AnyObject {
    /// The number of rows to write at a time.
    var bandHeight: Int { get }

    /// Writes the next rows: ``bandHeight``, or fewer at the end of the image.
    ///
    /// - Parameters:
    ///   - isGray: whether the file is greyscale; the pixels must be grey then.
    ///   - parallelism: the maximum number of threads.
    func write(_ rows: consuming PixelBuffer, isGray: Bool, parallelism: Int) throws(TexelError)

    /// Ends the file and returns its bytes.
    func finish(isGray: Bool, parallelism: Int) throws(TexelError) -> EncodedBytes
}

extension JPEGFileWriter: JPEGRowWriter {
    var bandHeight: Int { Self.bandHeight }

    func write(_ rows: consuming PixelBuffer, isGray: Bool, parallelism: Int) throws(TexelError) {
        try writeRows(of: rows, isGray: isGray)
    }

    func finish(isGray: Bool, parallelism: Int) throws(TexelError) -> EncodedBytes { try finish() }
}

/// Encodes opaque rows as they arrive. If all of them turn out to be grey, they are encoded a second time as greyscale.
final class JPEGRowEncoder: RowEncoder {
    private let reducesToGray: Bool
    private let makeWriter: (_ isGray: Bool) throws(TexelError) -> any JPEGRowWriter
    private var writer: any JPEGRowWriter
    private var isWrittenGray = false
    /// Whether all rows so far are grey.
    private var isGray = true

    /// - Parameters:
    ///   - reducesToGray: whether a grey image is written as greyscale.
    ///   - makeWriter: begins a file.
    init(
        reducesToGray: Bool, makeWriter: @escaping (_ isGray: Bool) throws(TexelError) -> any JPEGRowWriter
    ) throws(TexelError) {
        self.reducesToGray = reducesToGray
        self.makeWriter = makeWriter
        writer = try makeWriter(false)
    }

    var bandHeight: Int { writer.bandHeight }

    func take(_ rows: consuming PixelBuffer, parallelism: Int) throws(TexelError) {
        isGray = isGray && reducesToGray && rows.isGray
        try writer.write(rows, isGray: isWrittenGray, parallelism: parallelism)
    }

    func finish(parallelism: Int) throws(TexelError) -> EncodedBytes? {
        if isGray, !isWrittenGray {
            isWrittenGray = true
            writer = try makeWriter(true)
            return nil
        }
        return try writer.finish(isGray: isWrittenGray, parallelism: parallelism)
    }
}
