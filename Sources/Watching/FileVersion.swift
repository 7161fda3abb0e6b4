import SystemPackage
import TexelPipeline

/// Identifies one state of one file, independent of its name.
struct FileVersion: Sendable, Hashable {
    let identity: FileStatus.Identity
    let stamp: FileStamp

    /// Returns `nil` unless the path is a regular file or a link to one.
    init?(_ path: FilePath) {
        guard let status = FileStatus(path), let stamp = FileStamp(status) else { return nil }
        identity = status.identity
        self.stamp = stamp
    }
}
