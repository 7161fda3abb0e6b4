import Synchronization
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is being written under a hidden name beside its target, and becomes the target when it is whole.
/// Without ``install()`` nothing is left of it.
package final class UnfinishedFile: Sendable {
    /// Where to write; its file position is at the end of what was written.
    package let descriptor: FileDescriptor

    private let path: FilePath
    private let target: FilePath
    private let temporary: FilePath
    private let isReplacing: Bool
    private let isClosed = Atomic(false)

    /// Files being written now; an impatient interruption removes them.
    private static let all = Mutex<Set<FilePath>>([])
    /// Two processes may have the same number, in containers that share a folder, so each begins somewhere else.
    private static let counter = Atomic(Int.random(in: 0..<1 << 32))

    /// Begins a file.
    ///
    /// - Parameter replacing: whether an existing file may be replaced; its permissions are kept.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`.
    package convenience init(_ path: FilePath, replacing: Bool) throws(FileError) {
        let status = FileStatus(path)
        if status != nil, !replacing { throw .alreadyExists(path) }
        // A link keeps being a link: what it points to is replaced.
        let target = status == nil ? path : Self.resolved(path)
        try self.init(
            path, target: target, temporary: Self.temporaryPath(for: target, in: target.removingLastComponent()),
            replacing: replacing,
            permissions: status?.permissions ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        // The mask for new files must not take bits from an old one's permissions.
        if let status, fchmod(descriptor.rawValue, status.permissions.rawValue) != 0 {
            throw .cannotWrite(path, .current)
        }
    }

    /// Begins a file for the owner alone, in another directory of the same file system. Whatever has its name at the
    /// end is replaced, a link too.
    ///
    /// - Throws: `cannotCreate`.
    convenience init(_ path: FilePath, madeIn directory: FilePath) throws(FileError) {
        try self.init(
            path, target: path, temporary: Self.temporaryPath(for: path, in: directory), replacing: true,
            permissions: .ownerReadWrite)
    }

    private init(
        _ path: FilePath, target: FilePath, temporary: FilePath, replacing: Bool, permissions: FilePermissions
    ) throws(FileError) {
        Self.all.withLock { _ = $0.insert(temporary) }
        do {
            descriptor = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: permissions)
        } catch {
            Self.all.withLock { _ = $0.remove(temporary) }
            throw .cannotCreate(path, error as? Errno ?? .ioError)
        }
        self.path = path
        self.target = target
        self.temporary = temporary
        isReplacing = replacing
    }

    deinit {
        if !isClosed.load(ordering: .acquiring) { try? descriptor.close() }
        // After it was installed the name is no longer in use.
        let isLeft = Self.all.withLock { $0.remove(temporary) != nil }
        if isLeft { unlink(temporary.string) }
    }

    /// Flushes what was written, and gives it the target's name. Called once.
    ///
    /// - Parameter flushing: whether what was written is to survive a power cut; it survives the process anyway.
    /// - Throws: `alreadyExists` where another program made the file meanwhile, `cannotWrite`; then nothing is left.
    package func install(flushing: Bool = true) throws(FileError) {
        do {
            if flushing, fdatasync(descriptor.rawValue) != 0 { throw Errno.current }
            isClosed.store(true, ordering: .releasing)
            try descriptor.close()
            try takeName()
            Self.all.withLock { _ = $0.remove(temporary) }
        } catch {
            if error as? Errno == .fileExists { throw .alreadyExists(path) }
            throw .cannotWrite(path, error as? Errno ?? .ioError)
        }
    }

    /// Removes what an interruption would leave behind.
    static func removeAll() {
        for path in all.withLock({ $0 }) { unlink(path.string) }
    }

    private func takeName() throws(Errno) {
        if isReplacing {
            guard rename(temporary.string, target.string) == 0 else { throw .current }
            return
        }
        // A hard link fails where another program made the file meanwhile; not every file system has them.
        if link(temporary.string, target.string) == 0 {
            unlink(temporary.string)
        } else if Errno.current == .fileExists || rename(temporary.string, target.string) != 0 {
            throw .current
        }
    }

    /// Whether a name may be that of a file at work.
    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.contains(".texel-") }

    /// Hidden, unlike any other at work.
    private static func temporaryPath(for path: FilePath, in directory: FilePath) -> FilePath {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        // A name may have 255 bytes; the original's beginning is enough to recognise it.
        let name = String((path.lastComponent?.string ?? "output").prefix(40))
        return directory.appending(".\(name).texel-\(getpid())-\(number)")
    }

    private static func resolved(_ path: FilePath) -> FilePath {
        guard let resolved = realpath(path.string, nil) else { return path }
        defer { free(resolved) }
        return FilePath(String(cString: resolved))
    }
}
