import PlatformLibc
import SystemPackage
import Texel

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
        // If `poll` reports a pipe as writable, a write of up to PIPE_BUF bytes neither blocks nor is split.
        let pieceLength = Int(PIPE_BUF)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard (try? stop.wait(for: .standardOutput, POLLOUT))?.isReady == true else { throw .stopped }
            do {
                rest = rest.dropFirst(try FileDescriptor.standardOutput.write(rest.prefix(pieceLength)))
            } catch {
                let errno = error as? Errno ?? .ioError
                Console.noteOutputError(errno)
                throw .failed(errno)
            }
        }
    }
}

extension FileDescriptor {
    fileprivate func write(_ bytes: ArraySlice<UInt8>) throws -> Int {
        try bytes.withUnsafeBytes { try write($0) }
    }
}
