package import SystemPackage

/// Which content a regular file has, as far as its status tells.
package struct FileStamp: Sendable, Hashable {
    package var byteCount: Int
    /// When it was last written, in nanoseconds since 1970.
    var nanoseconds: Int

    init(byteCount: Int, nanoseconds: Int) {
        self.byteCount = byteCount
        self.nanoseconds = nanoseconds
    }

    /// `nil` for what is no regular file.
    init?(_ status: FileStatus) {
        guard status.isRegular else { return nil }
        self.init(byteCount: status.byteCount, nanoseconds: status.modificationNanoseconds)
    }

    /// `nil` where there is no regular file.
    package init?(_ path: FilePath) {
        guard let status = FileStatus(path) else { return nil }
        self.init(status)
    }

    /// When it was last written, by the calendar's clock.
    package var written: Duration { .nanoseconds(nanoseconds) }
}
