import TexelCodecs

/// Reads the frames of one kind of stream; used by one thread at a time.
protocol StreamReader: ~Copyable {
    var format: FrameFormat { get }

    /// The next frame; `nil` at the end.
    ///
    /// - Throws: `FrameError`, `stopped` among them; then the reader is of no more use.
    mutating func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame?
}

/// A reader for those who share it: the way a source keeps one. The reader, and with it its input, goes at the end of
/// the stream.
final class SharedReader<Reader: StreamReader & ~Copyable>: Sendable {
    let format: FrameFormat
    private let reader: Monitor<Reader?>

    init(_ reader: consuming Reader) {
        format = reader.format
        self.reader = Monitor(reader)
    }

    func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        try reader.withLock { (reader) throws(FrameError) -> SourceFrame? in
            do throws(FrameError) {
                if let frame = try reader?.next(stop) { return frame }
                reader = nil
                return nil
            } catch {
                reader = nil
                if error == .stopped { return nil }
                throw error
            }
        }
    }
}
