import PlatformLibc
package import SystemPackage
package import TexelCore

/// The result of `stat` for a file.
package struct FileStatus {
    private let status: stat

    /// Returns `nil` if `stat` fails.
    package init?(_ path: FilePath, followsLinks: Bool = true) {
        // The bytes of the path are passed on as they are, since names need not be valid text.
        let status = path.withPlatformString { Self.status($0, followsLinks: followsLinks) }
        guard let status else { return nil }
        self.status = status
    }

    package init?(_ path: String, followsLinks: Bool = true) {
        guard let status = Self.status(path, followsLinks: followsLinks) else { return nil }
        self.status = status
    }

    private static func status(_ path: UnsafePointer<CChar>, followsLinks: Bool) -> stat? {
        var status = stat()
        return (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
    }

    /// Returns `nil` if `fstatat` fails.
    package init?(_ place: FilePlace, followsLinks: Bool) {
        guard let status = place.status(followsLinks: followsLinks) else { return nil }
        self.status = status
    }

    /// The status of an open file; `nil` if `fstat` fails.
    package init?(_ descriptor: FileDescriptor) {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { return nil }
        self.status = status
    }

    private var kind: mode_t { status.st_mode & S_IFMT }

    package var isDirectory: Bool { kind == S_IFDIR }
    package var isLink: Bool { kind == S_IFLNK }
    package var isRegular: Bool { kind == S_IFREG }
    var isPipe: Bool { kind == S_IFIFO }
    package var isDeviceOrPipe: Bool { [S_IFCHR, S_IFIFO, S_IFSOCK].contains(kind) }
    package var byteCount: Int { Int(status.st_size) }
    package var permissions: FilePermissions { FilePermissions(rawValue: status.st_mode & 0o7777) }
    /// The number of hard links; 0 for an open file that was removed.
    package var nameCount: Int { Int(status.st_nlink) }

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

    private var changed: timespec {
        #if canImport(Darwin)
            status.st_ctimespec
        #else
            status.st_ctim
        #endif
    }

    /// The time of the last change of the content, since 1970.
    package var modificationTime: Duration { .seconds(modified.tv_sec) + .nanoseconds(modified.tv_nsec) }

    /// ``modificationTime`` in nanoseconds, which is faster to compare; `Int.max` if out of range in either
    /// direction.
    package var modificationNanoseconds: Int { Self.nanoseconds(modified) }

    /// The time of the last change of the content or an attribute, in nanoseconds since 1970.
    var changeNanoseconds: Int { Self.nanoseconds(changed) }

    private static func nanoseconds(_ time: timespec) -> Int {
        let (seconds, isTooLarge) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : seconds &+ time.tv_nsec
    }

    /// Equal for all names of one file.
    package struct Identity: Sendable, Hashable {
        let device: dev_t
        let number: ino_t
    }

    /// A text that differs if the file was replaced or written to.
    package var version: String {
        "\(status.st_dev):\(status.st_ino):\(status.st_size):\(modified.tv_sec).\(modified.tv_nsec)"
    }

    package var identity: Identity { Identity(device: status.st_dev, number: status.st_ino) }
}

extension FilePath {
    /// Whether both paths are names of the same file.
    package func isSameFile(as other: FilePath) -> Bool {
        guard let identity else { return false }
        return identity == other.identity
    }

    /// The identity of the file, independent of its name; `nil` if it does not exist.
    package var identity: FileStatus.Identity? { FileStatus(self)?.identity }

    package var isDirectory: Bool { FileStatus(self)?.isDirectory ?? false }

    /// Whether this folder is another one, or somewhere below it.
    package func isFolder(in other: FilePath) -> Bool {
        guard let identity = other.identity else { return false }
        // Up to the root directory, which is its own parent.
        var above = isEmpty ? "." : self
        var last: FileStatus.Identity?
        while let next = above.identity, next != last {
            if next == identity { return true }
            last = next
            above.append("..")
        }
        return false
    }

    /// Whether the path is a regular file or a link to one.
    package var isRegularFile: Bool { FileStatus(self)?.isRegular ?? false }

    /// Whether the path itself is a symbolic link.
    package var isLink: Bool { FileStatus(self, followsLinks: false)?.isLink ?? false }

    package var isDeviceOrPipe: Bool { FileStatus(self)?.isDeviceOrPipe ?? false }

    package var exists: Bool { FileStatus(self) != nil }

    /// Checks that the path exists.
    ///
    /// - Throws: `missing`, `cannotRead`.
    package func checkExists() throws(TexelError) {
        guard exists else { throw TexelError(self, unreadable: .current) }
    }

    /// Creates this directory and missing ones above it.
    ///
    /// - Parameter permissions: of the new directories, before the process's umask is applied.
    /// - Throws: `cannotCreate`.
    package func makeDirectories(permissions: FilePermissions = FilePermissions(rawValue: 0o777)) throws(TexelError) {
        if isEmpty || isDirectory { return }
        try removingLastComponent().makeDirectories(permissions: permissions)
        // The bytes of the path are passed on as they are, since names need not be valid text.
        let status = withPlatformString { mkdir($0, permissions.rawValue) }
        // Read before the next call replaces it.
        let error = Errno.current
        guard status == 0 || isDirectory else { throw .cannotCreate(self, error) }
    }
}

extension Errno {
    /// The error of this thread's last failed system call.
    package static var current: Errno { Errno(rawValue: errno) }
}
