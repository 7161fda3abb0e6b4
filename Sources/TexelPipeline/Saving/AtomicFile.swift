import Synchronization
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes files that are there whole or not at all: into a temporary file of the same directory, flushed, renamed.
package enum AtomicFile {
    /// Temporary files being written now; an impatient interruption removes them.
    private static let unfinished = Mutex<Set<FilePath>>([])
    private static let counter = Atomic(0)

    /// - Parameter replacing: whether an existing file may be replaced; its permissions are kept.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`; then nothing was changed.
    package static func write(_ bytes: [UInt8], to path: FilePath, replacing: Bool) throws(FileError) {
        let status = FileStatus(path)
        if let status, status.isDeviceOrPipe { return try writeThrough(bytes, to: path) }
        if status != nil, !replacing { throw .alreadyExists(path) }
        // A link keeps being a link: what it points to is replaced.
        let target = status == nil ? path : resolved(path)
        let temporary = temporaryPath(for: target)
        unfinished.withLock { _ = $0.insert(temporary) }
        defer { unfinished.withLock { _ = $0.remove(temporary) } }

        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: status?.permissions ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        } catch {
            throw .cannotCreate(path, error as? Errno ?? .ioError)
        }
        do {
            try descriptor.closeAfter {
                // The mask for new files must not take bits from an old one's permissions.
                if let status, fchmod(descriptor.rawValue, status.permissions.rawValue) != 0 { throw Errno.current }
                try descriptor.writeAll(bytes)
                if fdatasync(descriptor.rawValue) != 0 { throw Errno.current }
            }
            try install(temporary, as: target, replacing: replacing)
        } catch {
            unlink(temporary.string)
            if error as? Errno == .fileExists { throw .alreadyExists(path) }
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
    }

    /// Removes what an interruption would leave behind.
    package static func removeUnfinished() {
        for path in unfinished.withLock({ $0 }) { unlink(path.string) }
    }

    private static func install(_ temporary: FilePath, as path: FilePath, replacing: Bool) throws {
        if replacing {
            guard rename(temporary.string, path.string) == 0 else { throw Errno.current }
            return
        }
        // A hard link fails where another program made the file meanwhile; not every file system has them.
        if link(temporary.string, path.string) == 0 {
            unlink(temporary.string)
        } else if Errno.current == .fileExists || rename(temporary.string, path.string) != 0 {
            throw Errno.current
        }
    }

    private static func writeThrough(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
        do {
            let descriptor = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
            _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
        } catch {
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
    }

    /// Hidden, beside the target, unlike any other at work.
    private static func temporaryPath(for path: FilePath) -> FilePath {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        // A name may have 255 bytes; the original's beginning is enough to recognise it.
        let name = String((path.lastComponent?.string ?? "output").prefix(40))
        return path.removingLastComponent().appending(".\(name).texel-\(getpid())-\(number)")
    }

    private static func resolved(_ path: FilePath) -> FilePath {
        guard let resolved = realpath(path.string, nil) else { return path }
        defer { free(resolved) }
        return FilePath(String(cString: resolved))
    }
}
