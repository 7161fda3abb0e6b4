package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the file system says of a path.
struct FileStatus {
    private let status: stat

    /// `nil` where nothing can be found.
    init?(_ path: FilePath, followsLinks: Bool = true) {
        var status = stat()
        let outcome = followsLinks ? stat(path.string, &status) : lstat(path.string, &status)
        guard outcome == 0 else { return nil }
        self.status = status
    }

    private var kind: mode_t { status.st_mode & S_IFMT }

    var isDirectory: Bool { kind == S_IFDIR }
    var isLink: Bool { kind == S_IFLNK }
    var isDeviceOrPipe: Bool { [S_IFCHR, S_IFIFO, S_IFSOCK].contains(kind) }
    var permissions: FilePermissions { FilePermissions(rawValue: status.st_mode & 0o7777) }

    func isSameFile(as other: FileStatus) -> Bool {
        status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
    }
}

extension FilePath {
    /// Whether both name the same file.
    package func isSameFile(as other: FilePath) -> Bool {
        guard let mine = FileStatus(self), let others = FileStatus(other) else { return false }
        return mine.isSameFile(as: others)
    }

    package var isDirectory: Bool { FileStatus(self)?.isDirectory ?? false }

    /// Whether the path itself is a symbolic link.
    var isLink: Bool { FileStatus(self, followsLinks: false)?.isLink ?? false }

    var isDeviceOrPipe: Bool { FileStatus(self)?.isDeviceOrPipe ?? false }

    package var exists: Bool { FileStatus(self) != nil }

    /// Makes this directory and those above it.
    package func makeDirectories() throws(FileError) {
        if isEmpty || isDirectory { return }
        try removingLastComponent().makeDirectories()
        guard mkdir(string, 0o777) == 0 || isDirectory else { throw .cannotCreate(self, .current) }
    }
}

extension Errno {
    /// What the last failed system call of this thread left.
    static var current: Errno { Errno(rawValue: errno) }
}
