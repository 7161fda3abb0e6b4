import TexelCodecs
import TexelPixels

/// Encodes opaque rows as they arrive. If all of them turn out to be grey, they are encoded a second time as greyscale.
final class JPEGRowEncoder: RowEncoder {
    let bandHeight = 64
    private let reducesToGray: Bool
    private let makeWriter: (_ isGray: Bool) throws(CodecError) -> JPEGFileWriter
    private var writer: JPEGFileWriter?
    private var isWrittenGray = false
    /// Whether all rows so far are grey.
    private var isGray = true

    /// - Parameters:
    ///   - reducesToGray: whether a grey image is written as greyscale.
    ///   - makeWriter: begins a file.
    init(reducesToGray: Bool, makeWriter: @escaping (_ isGray: Bool) throws(CodecError) -> JPEGFileWriter) {
        self.reducesToGray = reducesToGray
        self.makeWriter = makeWriter
    }

    func take(_ rows: consuming PixelBuffer, parallelism: Int) throws(CodecError) {
        let current = if let writer { writer } else { try makeWriter(isWrittenGray) }
        writer = current
        isGray = isGray && reducesToGray && rows.isGray
        try current.writeRows(of: rows, isGray: isWrittenGray)
    }

    func finish(parallelism: Int) throws(CodecError) -> EncodedBytes? {
        let finished = writer
        writer = nil
        if isGray, !isWrittenGray {
            isWrittenGray = true
            return nil
        }
        return try finished?.finish()
    }
}
