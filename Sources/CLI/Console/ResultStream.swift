import SystemPackage
import Texel
import TexelCore

/// Standard output, for threads that may block.
struct ResultStream: Sendable {
    /// The reason why writing ended.
    enum End: Error {
        case stopped
        case failed(Errno)
    }

    private let stop: StopToken

    init(_ stop: StopToken) { self.stop = stop }

    /// Writes text; blocks while the reader is slow, unless the work is stopped.
    func write(_ text: String) throws(End) {
        do throws(DirectOutput.Failure) {
            try DirectOutput(.standardOutput, stop: stop).write(Array(text.utf8))
        } catch {
            guard case .system(let errno) = error else { throw .stopped }
            Console.noteOutputError(errno)
            throw .failed(errno)
        }
    }
}
