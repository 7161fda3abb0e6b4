import PlatformLibc
import Synchronization
import SystemPackage
import TexelBatch
import TexelCodecs
import TexelPipeline

/// Passes results from other threads to the watching thread, which waits for it and for files at the same time.
final class WatchInbox: Sendable {
    /// Readable if there are new results.
    let descriptor: FileDescriptor

    private let writeEnd: FileDescriptor
    private let results = Mutex<[(path: FilePath, result: FileResult)]>([])

    /// - Throws: the system's error if no pipe can be created.
    init() throws(Errno) {
        let ends: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        do { ends = try FileDescriptor.pipe() } catch { throw error as? Errno ?? .ioError }
        (descriptor, writeEnd) = ends
        for end in [descriptor, writeEnd] {
            _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
            _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        try? descriptor.close()
        try? writeEnd.close()
    }

    func add(_ path: FilePath, _ result: FileResult) {
        results.withLock { $0.append((path, result)) }
        wake()
    }

    /// Wakes the watching thread. If the pipe is full, that thread is awake anyway.
    func wake() { _ = try? [UInt8(0)].withUnsafeBytes { try writeEnd.write($0) } }

    /// Removes and returns the results since the last call.
    func take() -> [(path: FilePath, result: FileResult)] {
        var drained = [UInt8](repeating: 0, count: 512)
        while let count = try? drained.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {}
        return results.withLock { results in
            defer { results = [] }
            return results
        }
    }
}
