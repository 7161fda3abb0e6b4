package import SystemPackage

/// Identifies a regular file's content by its size and modification time.
package struct FileStamp: Sendable, Hashable {
    package var byteCount: Int
    /// The modification time in nanoseconds since 1970.
    package var nanoseconds: Int

    package init(byteCount: Int, nanoseconds: Int) {
        self.byteCount = byteCount
        self.nanoseconds = nanoseconds
    }

    /// Returns `nil` unless the file is a regular one.
    package init?(_ status: FileStatus) {
        guard status.isRegular else { return nil }
        self.init(byteCount: status.byteCount, nanoseconds: status.modificationNanoseconds)
    }

    /// Returns `nil` unless the path is a regular file.
    package init?(_ path: FilePath) {
        guard let status = FileStatus(path) else { return nil }
        self.init(status)
    }

    /// The modification time since 1970.
    package var written: Duration { .nanoseconds(nanoseconds) }
}
