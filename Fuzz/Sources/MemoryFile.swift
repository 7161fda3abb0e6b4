import SystemPackage

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Bytes as an anonymous file or a pipe, for code that reads descriptors. Closed with this object.
final class MemoryFile {
    let descriptor: FileDescriptor

    private init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    /// Creates a regular file, positioned at its start.
    static func file(_ bytes: [UInt8]) -> MemoryFile? {
        let number = makeMemoryFile("fuzz", 0)
        guard number >= 0 else { return nil }
        let file = MemoryFile(FileDescriptor(rawValue: number))
        guard (try? file.descriptor.writeAll(bytes)) != nil, (try? file.descriptor.seek(offset: 0, from: .start)) != nil
        else { return nil }
        return file
    }

    /// Creates a pipe that holds all bytes; its writing end is closed.
    static func pipe(_ bytes: [UInt8]) -> MemoryFile? {
        guard let ends = try? FileDescriptor.pipe() else { return nil }
        let file = MemoryFile(ends.readEnd)
        defer { try? ends.writeEnd.close() }
        // The pipe must hold all bytes, as nothing reads while they are written. 1031 is F_SETPIPE_SZ.
        guard fcntl(ends.writeEnd.rawValue, 1031, 1 << 20) >= bytes.count else { return nil }
        return (try? ends.writeEnd.writeAll(bytes)) == nil ? nil : file
    }

    /// A path at which the descriptor can be opened.
    var path: String { "/proc/self/fd/\(descriptor.rawValue)" }
}

/// memfd_create, which glibc declares only with _GNU_SOURCE.
@_silgen_name("memfd_create")
private func makeMemoryFile(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32
