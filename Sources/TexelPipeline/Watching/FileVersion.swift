import SystemPackage

/// What tells one state of a file from another, and one file from another, whatever their names.
struct FileVersion: Sendable, Hashable {
    let identity: FileStatus.Identity
    let stamp: FileStamp

    /// `nil` where no regular file is, or a link to one.
    init?(_ path: FilePath) {
        guard let status = FileStatus(path), let stamp = FileStamp(status) else { return nil }
        identity = status.identity
        self.stamp = stamp
    }
}
