import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a file is or will be: a name in a directory that is held open, or a path. Byte for byte: names need not be
/// text.
struct FilePlace: Sendable {
    /// `nil` where the name is a path.
    private let directory: OpenDirectory?
    let name: FilePath

    init(_ name: FilePath, in directory: OpenDirectory? = nil) {
        (self.name, self.directory) = (name, directory)
    }

    private var handle: Int32 { directory?.descriptor.rawValue ?? AT_FDCWD }

    /// The same with another name in the same directory.
    func sibling(_ name: FilePath.Component) -> FilePlace {
        FilePlace(self.name.removingLastComponent().appending(name), in: directory)
    }

    func open(_ options: Int32, _ permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        let opened = name.withPlatformString { openat(handle, $0, options | O_CLOEXEC, permissions.rawValue) }
        guard opened >= 0 else { throw .current }
        return FileDescriptor(rawValue: opened)
    }

    /// A file in the same directory that has no name, and vanishes with its process; `nil` where there is no such
    /// thing.
    func openUnnamed(_ permissions: FilePermissions) -> FileDescriptor? {
        #if os(Linux)
            guard Self.namesLater else { return nil }
            let folder = name.removingLastComponent()
            // O_TMPFILE, which Swift does not see.
            let options = 0o20_000_000 | O_DIRECTORY | O_WRONLY
            return try? FilePlace(folder.isEmpty ? "." : folder, in: directory).open(options, permissions)
        #else
            return nil
        #endif
    }

    #if os(Linux)
        /// Whether a file without a name can be given one.
        private static let namesLater = access("/proc/self/fd", X_OK) == 0
    #endif

    /// Gives an open file that has no name this one.
    func take(_ descriptor: FileDescriptor) throws(Errno) {
        let status = name.withPlatformString {
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.rawValue)", handle, $0, AT_SYMLINK_FOLLOW)
        }
        guard status == 0 else { throw .current }
    }

    /// Gives the file that is here another name as well, which must be free.
    func link(to other: FilePlace) throws(Errno) {
        let status = name.withPlatformString { own in
            other.name.withPlatformString { linkat(handle, own, other.handle, $0, 0) }
        }
        guard status == 0 else { throw .current }
    }

    /// Gives the file that is here another name, in place of whatever has that.
    func rename(to other: FilePlace) throws(Errno) {
        let status = name.withPlatformString { own in
            other.name.withPlatformString { renameat(handle, own, other.handle, $0) }
        }
        guard status == 0 else { throw .current }
    }

    /// - Returns: whether something was removed.
    @discardableResult
    func remove() -> Bool { name.withPlatformString { unlinkat(handle, $0, 0) } == 0 }

    func status(followsLinks: Bool) -> stat? {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        return name.withPlatformString { fstatat(handle, $0, &status, flags) } == 0 ? status : nil
    }
}
