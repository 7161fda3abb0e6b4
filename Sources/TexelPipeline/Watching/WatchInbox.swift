import Synchronization
import SystemPackage
import TexelCodecs

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What other threads tell the one that watches, which waits for files and for this at the same time.
final class WatchInbox: Sendable {
    /// Can be read when there is something new.
    let descriptor: FileDescriptor

    private let writeEnd: FileDescriptor
    private let results = Mutex<[(path: FilePath, result: FileResult)]>([])

    /// - Throws: where the system gives no pipe.
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

    /// A pipe that is full wakes as well as one byte does.
    func wake() { _ = try? [UInt8(0)].withUnsafeBytes { try writeEnd.write($0) } }

    /// All that came since the last call.
    func take() -> [(path: FilePath, result: FileResult)] {
        var drained = [UInt8](repeating: 0, count: 512)
        while let count = try? drained.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {}
        return results.withLock { results in
            defer { results = [] }
            return results
        }
    }
}
