package import SystemPackage
package import TexelPipeline

/// The reason why a folder cannot be watched, or not any longer.
package enum WatchError: Error, Sendable, Hashable {
    /// A folder cannot be read or created.
    case file(FileError)
    /// The watched folder existed, but was removed or moved.
    case vanished(FilePath)
    /// The user's limit of inotify watches is reached; this many folders are watched.
    case tooManyFolders(Int)
    /// The user's limit of inotify instances is reached.
    case tooManyWatchers
    /// Another program watches for the same output folder.
    case outputIsTaken(FilePath)
    /// The output folder is or contains the watched folder, so outputs would be watched.
    case outputHoldsInput(FilePath)
    /// The record of the outputs cannot be read or written.
    case manifest(ManifestError)
    /// Watching is supported on Linux only.
    case unsupported
}

extension WatchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .vanished: "the watched folder was removed or moved"
        case .tooManyFolders(let count):
            "too many folders to watch (stopped after \(count)); raise fs.inotify.max_user_watches with sysctl"
        case .tooManyWatchers:
            "the limit of inotify instances is reached; raise fs.inotify.max_user_instances with sysctl"
        case .outputIsTaken: "another texel process watches for this output folder; use a different one"
        case .outputHoldsInput: "the output folder is or contains the watched folder; name another one"
        case .manifest(let error): "\(error)"
        case .unsupported: "watching folders is supported on Linux only"
        }
    }
}

/// An event of a watch.
package enum WatchEvent: Sendable {
    /// All later changes will be reported.
    case began(folderCount: Int)
    /// A file was written, kept, or failed.
    case finished(FileResult)
    /// An input was renamed, and its output accordingly.
    case renamed(from: FilePath, input: FilePath, output: FilePath)
    /// An input was removed, and its output as well.
    case removed(input: FilePath, output: FilePath)
    /// A folder or file could not be processed; the watch continues.
    case failed(FilePath, FileError)
}
