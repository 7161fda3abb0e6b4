import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file of a manifest: opened by one process at a time, and only ever added to.
final class ManifestFile: Sendable {
    private let descriptor: FileDescriptor

    /// Larger ones are none: ten million results.
    private static let byteLimit = 4 << 30

    /// Opens it, or makes it, and takes its lock.
    init(_ path: FilePath) throws(ManifestError) { descriptor = try Self.open(path) }

    deinit {
        descriptor.releaseLock()
        try? descriptor.close()
    }

    private static func open(_ path: FilePath) throws(ManifestError) -> FileDescriptor {
        do {
            while true {
                let descriptor = try FileDescriptor.open(
                    path, .readWrite, options: [.create, .append, .closeOnExec, .noFollow, .nonBlocking],
                    permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
                guard descriptor.takeLock() else {
                    try? descriptor.close()
                    throw ManifestError.inUse(path)
                }
                // Another process may have put a new one in its place, or removed it, before it was locked.
                if let status = FileStatus(descriptor), status.identity == path.identity { return descriptor }
                descriptor.releaseLock()
                try? descriptor.close()
            }
        } catch let error as ManifestError {
            throw error
        } catch {
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
    }

    /// Adds a text, in one piece as far as the system does so.
    func append(_ text: String) throws(Errno) {
        do {
            try descriptor.writeAll(text.utf8)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// - Returns: nothing where there is none.
    static func contents(of path: FilePath) throws(ManifestError) -> [UInt8] {
        guard let status = FileStatus(path, followsLinks: false) else { return [] }
        guard status.isRegular, status.byteCount <= byteLimit else { throw .foreign(path) }
        do {
            let descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow])
            return try descriptor.closeAfter { try descriptor.readAll(atMost: status.byteCount) }
        } catch {
            throw .cannotRead(path, error as? Errno ?? .ioError)
        }
    }

    /// Puts another in its place.
    static func replace(_ path: FilePath, _ text: String) throws(ManifestError) {
        do throws(FileError) {
            try AtomicFile.write(
                Array(text.utf8), to: path, below: path.removingLastComponent(), makesDirectories: false,
                replacing: true)
        } catch {
            throw .cannotWrite(path, .current)
        }
    }

    static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
