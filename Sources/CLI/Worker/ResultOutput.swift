import Texel
import TexelCore

/// Standard output for results; a line is written completely before the next job begins.
@Reporting final class ResultOutput {
    typealias End = ResultStream.End

    private let stream: ResultStream

    nonisolated init(_ stop: StopToken) { stream = ResultStream(stop) }

    /// Writes text; blocks while the reader is slow, unless the work is stopped.
    func write(_ text: String) throws(End) { try stream.write(text) }
}
