import SystemPackage
import TexelCore
import TexelPipeline

/// Reasons why a folder cannot be watched, or not any longer.
extension TexelError {
    /// The watched folder existed, but was removed or moved.
    static func folderVanished(_ path: FilePath) -> TexelError {
        TexelError(.folderVanished, "the watched folder was removed or moved", at: Place(input: path.string))
    }

    /// The user's limit of inotify watches is reached; this many folders are watched.
    static func tooManyFolders(_ count: Int) -> TexelError {
        TexelError(
            .tooManyWatches,
            "too many folders to watch (stopped after \(count)); raise fs.inotify.max_user_watches with sysctl")
    }

    /// The user's limit of inotify instances is reached.
    static var tooManyWatchers: TexelError {
        TexelError(
            .tooManyWatches,
            "the limit of inotify instances is reached; raise fs.inotify.max_user_instances with sysctl")
    }

    /// Another program watches for the same output folder.
    static func outputIsTaken(_ path: FilePath) -> TexelError {
        TexelError(
            .inUse, "another texel process watches for this output folder; use a different one",
            at: Place(input: path.string))
    }

    /// The output folder is or contains the watched folder, so outputs would be watched.
    static func outputHoldsInput(_ path: FilePath) -> TexelError {
        TexelError(
            .invalidArgument, "the output folder is or contains the watched folder; name another one",
            at: Place(input: path.string))
    }

    /// Watching is supported on Linux only.
    static var watchingUnsupported: TexelError {
        TexelError(.invalidArgument, "watching folders is supported on Linux only")
    }
}
