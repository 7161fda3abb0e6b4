import SystemPackage

/// What tells one state of a file from another, and one file from another, whatever their names.
struct FileVersion: Sendable, Hashable {
    var identity: FileStatus.Identity
    var byteCount: Int
    /// Since 1970.
    var modificationTime: Duration

    /// `nil` where no regular file is, or a link to one.
    init?(_ path: FilePath) {
        guard let status = FileStatus(path), status.isRegular else { return nil }
        identity = status.identity
        byteCount = status.byteCount
        modificationTime = status.modificationTime
    }
}
