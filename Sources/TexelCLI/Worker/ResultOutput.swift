import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output, for results: each line whole, and gone before the next job begins.
@Reporting final class ResultOutput {
    typealias End = ResultStream.End

    private let stream: ResultStream

    nonisolated init(_ stop: StopSignal) { stream = ResultStream(stop) }

    /// Waits for as long as the reader does not read; after the end of the work no more.
    func write(_ text: String) throws(End) { try stream.write(text) }
}

/// Standard output, for threads that may wait.
struct ResultStream: Sendable {
    /// How writing ended.
    enum End: Error {
        case stopped
        case failed(Errno)
    }

    private let stop: StopSignal

    init(_ stop: StopSignal) { self.stop = stop }

    /// Waits for as long as the reader does not read; after the end of the work no more.
    func write(_ text: String) throws(End) {
        // What a pipe takes at once when it says that it takes anything: such a write neither waits nor is torn.
        let pieceLength = Int(PIPE_BUF)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard stop.wait(for: .standardOutput, POLLOUT).isReady else { throw .stopped }
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
