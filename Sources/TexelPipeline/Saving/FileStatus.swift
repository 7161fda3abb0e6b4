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
        // Byte for byte: names need not be text.
        let status = path.withPlatformString { Self.status($0, followsLinks: followsLinks) }
        guard let status else { return nil }
        self.status = status
    }

    init?(_ path: String, followsLinks: Bool = true) {
        guard let status = Self.status(path, followsLinks: followsLinks) else { return nil }
        self.status = status
    }

    private static func status(_ path: UnsafePointer<CChar>, followsLinks: Bool) -> stat? {
        var status = stat()
        return (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
    }

    /// `nil` where nothing can be found.
    init?(_ place: FilePlace, followsLinks: Bool) {
        guard let status = place.status(followsLinks: followsLinks) else { return nil }
        self.status = status
    }

    /// Of an open file; `nil` where the system fails.
    init?(_ descriptor: FileDescriptor) {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { return nil }
        self.status = status
    }

    private var kind: mode_t { status.st_mode & S_IFMT }

    var isDirectory: Bool { kind == S_IFDIR }
    var isLink: Bool { kind == S_IFLNK }
    var isRegular: Bool { kind == S_IFREG }
    var isDeviceOrPipe: Bool { [S_IFCHR, S_IFIFO, S_IFSOCK].contains(kind) }
    var byteCount: Int { Int(status.st_size) }
    var permissions: FilePermissions { FilePermissions(rawValue: status.st_mode & 0o7777) }
    /// How many names the file has; none are left of one that was removed while it is open.
    var nameCount: Int { Int(status.st_nlink) }

    var owner: uid_t { status.st_uid }
    var group: gid_t { status.st_gid }

    var accessed: timespec {
        #if canImport(Darwin)
            status.st_atimespec
        #else
            status.st_atim
        #endif
    }

    var modified: timespec {
        #if canImport(Darwin)
            status.st_mtimespec
        #else
            status.st_mtim
        #endif
    }

    /// When the content last changed, since 1970.
    var modificationTime: Duration { .seconds(modified.tv_sec) + .nanoseconds(modified.tv_nsec) }

    /// The same as a number, for those who compare many; the largest there is for times too far away, either way.
    var modificationNanoseconds: Int {
        let (seconds, isTooLarge) = modified.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : seconds &+ modified.tv_nsec
    }

    /// The same for all names of one file.
    struct Identity: Sendable, Hashable {
        let device: dev_t
        let number: ino_t
    }

    /// Another text whenever the file is another one or was written to.
    var version: String {
        "\(status.st_dev):\(status.st_ino):\(status.st_size):\(modified.tv_sec).\(modified.tv_nsec)"
    }

    var identity: Identity { Identity(device: status.st_dev, number: status.st_ino) }
}

extension FilePath {
    /// Whether both name the same file.
    package func isSameFile(as other: FilePath) -> Bool {
        guard let identity else { return false }
        return identity == other.identity
    }

    /// Which file it is, whatever its name; `nil` where there is none.
    var identity: FileStatus.Identity? { FileStatus(self)?.identity }

    package var isDirectory: Bool { FileStatus(self)?.isDirectory ?? false }

    /// Whether the path itself is a symbolic link.
    var isLink: Bool { FileStatus(self, followsLinks: false)?.isLink ?? false }

    package var isDeviceOrPipe: Bool { FileStatus(self)?.isDeviceOrPipe ?? false }

    package var exists: Bool { FileStatus(self) != nil }

    /// Throws unless something is there.
    ///
    /// - Throws: `missing`, `cannotRead`.
    package func checkExists() throws(FileError) {
        guard exists else { throw FileError(self, unreadable: .current) }
    }

    /// Makes this directory and those above it.
    ///
    /// - Parameter permissions: of those that are made, less what the process's mask takes.
    package func makeDirectories(permissions: FilePermissions = FilePermissions(rawValue: 0o777)) throws(FileError) {
        if isEmpty || isDirectory { return }
        try removingLastComponent().makeDirectories(permissions: permissions)
        // Byte for byte: names need not be text.
        let status = withPlatformString { mkdir($0, permissions.rawValue) }
        guard status == 0 || isDirectory else { throw .cannotCreate(self, .current) }
    }
}

extension Errno {
    /// What the last failed system call of this thread left.
    static var current: Errno { Errno(rawValue: errno) }
}
