package import SystemPackage

/// Why a folder cannot be watched, or no longer.
package enum WatchError: Error, Sendable, Hashable {
    case file(FileError)
    /// It was there, and is no more.
    case vanished(FilePath)
    /// There are more folders than this user may watch; so many could be.
    case tooManyFolders(Int)
    /// This user's programs watch as often as they may.
    case tooManyWatchers
    /// Another program watches something for this output folder.
    case outputIsTaken(FilePath)
    /// What is written would be watched as well.
    case outputHoldsInput(FilePath)
    /// This system does not tell of changes as Linux does.
    case unsupported
}

extension WatchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .vanished: "the watched folder has gone"
        case .tooManyFolders(let count):
            "it has more folders than may be watched (\(count) are); raise fs.inotify.max_user_watches with sysctl"
        case .tooManyWatchers:
            "too many programs watch folders; raise fs.inotify.max_user_instances with sysctl"
        case .outputIsTaken: "another texel watches for this output folder; give each an output folder of its own"
        case .outputHoldsInput: "the output folder is or holds the watched one; name another"
        case .unsupported: "folders can be watched on Linux only"
        }
    }
}

/// What happens while a folder is watched.
package enum WatchEvent: Sendable {
    /// From now on nothing is missed.
    case began(folderCount: Int)
    /// Written, kept or failed.
    case finished(FileResult)
    /// An input has another name, and so has its output.
    case renamed(from: FilePath, input: FilePath, output: FilePath)
    /// An input has gone, and with it its output.
    case removed(input: FilePath, output: FilePath)
    /// A folder or an output that nothing can be done about; the rest goes on.
    case failed(FilePath, FileError)
}
