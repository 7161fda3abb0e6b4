public import SystemPackage
public import TexelCore
import TexelPipeline

extension TexelError {
    /// A name of outputs contains a placeholder in braces that does not exist.
    public static func unknownPlaceholder(_ name: String) -> TexelError {
        TexelError(
            .invalidArgument,
            "unknown placeholder {\(name)}; use {dir}, {name}, {ext}, {width} or {height}, or {{ for a brace")
    }
}

/// Reasons why a manifest cannot be used.
extension TexelError {
    /// Another process has locked the directory's manifest.
    public static func inUse(_ path: FilePath) -> TexelError {
        let directory = path.removingLastComponent()
        return TexelError(
            .inUse, "another texel process writes into \(directory); wait for it, or name another directory")
    }

    /// The file with the manifest's name is not a manifest.
    public static func foreignManifest(_ path: FilePath) -> TexelError {
        TexelError(
            .foreignManifest, "\(path) is not a texel manifest; move it, or name another directory",
            at: Place(input: path.string))
    }

    /// The manifest cannot be read.
    public static func cannotReadManifest(_ path: FilePath, _ reason: Errno) -> TexelError {
        TexelError(.cannotRead, "cannot read \(path): \(reason)", systemError: reason.rawValue)
    }

    /// The manifest cannot be written.
    public static func cannotWriteManifest(_ path: FilePath, _ reason: Errno) -> TexelError {
        TexelError(
            .cannotCreate, "cannot write \(path): \(reason)", at: Place(input: path.string),
            systemError: reason.rawValue)
    }
}

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
