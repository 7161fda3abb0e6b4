import TexelCodecs
import TexelCore
import TexelPixels

/// Reads the frames of one stream format. Used by one thread at a time.
protocol StreamReader: ~Copyable {
    /// Properties of the stream.
    var format: FrameFormat { get }

    /// Returns the next frame; `nil` at the end of the stream.
    ///
    /// - Throws: `TexelError`, including `stopped`. The reader must not be used after an error.
    mutating func next(_ stop: StopToken) throws(TexelError) -> SourceFrame?
}

/// Makes a reader usable from several threads, one at a time. Releases the reader, and with it the input, at the end of
/// the stream or after an error.
final class SharedReader<Reader: StreamReader & ~Copyable>: Sendable {
    let format: FrameFormat
    private let reader: Monitor<Reader?>

    init(_ reader: consuming Reader) {
        format = reader.format
        self.reader = Monitor(reader)
    }

    func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        try reader.withLock { (reader) throws(TexelError) -> SourceFrame? in
            do throws(TexelError) {
                if let frame = try reader?.next(stop) { return frame }
                reader = nil
                return nil
            } catch {
                reader = nil
                if error.kind == .cancelled { return nil }
                throw error
            }
        }
    }
}
