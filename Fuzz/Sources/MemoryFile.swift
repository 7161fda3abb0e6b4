import SystemPackage

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Bytes as a file that no folder has, or as a pipe: for what reads from descriptors. Closed with this object.
final class MemoryFile {
    let descriptor: FileDescriptor

    private init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    /// A regular file, at its beginning.
    static func file(_ bytes: [UInt8]) -> MemoryFile? {
        let number = makeMemoryFile("fuzz", 0)
        guard number >= 0 else { return nil }
        let file = MemoryFile(FileDescriptor(rawValue: number))
        guard (try? file.descriptor.writeAll(bytes)) != nil, (try? file.descriptor.seek(offset: 0, from: .start)) != nil
        else { return nil }
        return file
    }

    /// A pipe that holds all of it; its writing end is closed.
    static func pipe(_ bytes: [UInt8]) -> MemoryFile? {
        guard let ends = try? FileDescriptor.pipe() else { return nil }
        let file = MemoryFile(ends.readEnd)
        defer { try? ends.writeEnd.close() }
        // Without room for all of it, nobody would read while it is written. (1031 is F_SETPIPE_SZ.)
        guard fcntl(ends.writeEnd.rawValue, 1031, 1 << 20) >= bytes.count else { return nil }
        return (try? ends.writeEnd.writeAll(bytes)) == nil ? nil : file
    }

    /// Where others can open it.
    var path: String { "/proc/self/fd/\(descriptor.rawValue)" }
}

/// Linux has it, and its C library shows it only to GNU programs.
@_silgen_name("memfd_create")
private func makeMemoryFile(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32
