package import SystemPackage
package import TexelCore

/// The rule for what is read below a folder, which all searches share.
///
/// Read are regular files and links to them. Pipes, sockets and devices are not: opening one may wait for ever, or have
/// effects on a device. Hidden entries are left out, and with them the unfinished files of programs, as are links to
/// folders, so that every search ends, and the outputs of the call itself.
package struct FolderRule: Sendable {
    /// The treatment of a folder's entry in a search.
    package enum Kind {
        /// A regular file, or a link to one.
        case file(FileStatus, isLink: Bool)
        /// A folder, or a link to one.
        case folder(isLink: Bool)
        /// A pipe, a socket, a device, or a link to a missing file: not read.
        case other
        /// Left out.
        case ignored
        case unreadable(TexelError)
    }

    private let outputs: Set<FileStatus.Identity>
    /// The end of the paths of folders for outputs.
    private let directoryName: FilePath?

    /// - Parameters:
    ///   - outputs: files and folders that the call writes, which are not inputs.
    ///   - directoryName: the relative path of a folder that the call writes in many folders; `nil` if there is none.
    package init(excluding outputs: [FilePath] = [], directoryName: FilePath? = nil) {
        self.outputs = Set(outputs.compactMap(\.identity))
        self.directoryName = directoryName
    }

    /// - Parameter output: a folder that the call writes.
    package init(excluding output: FileStatus.Identity?) {
        outputs = output.map { [$0] } ?? []
        directoryName = nil
    }

    package func excludes(_ file: FileStatus.Identity) -> Bool { outputs.contains(file) }

    /// - Parameter path: the path of the entry.
    package func kind(of entry: DirectoryEntry, at path: FilePath) -> Kind {
        entry.isHidden ? .ignored : kind(at: path, isLink: entry.isLink(at: path))
    }

    /// - Parameter isLink: whether the path itself is a symbolic link; `nil` to look.
    package func kind(at path: FilePath, isLink: Bool? = nil) -> Kind {
        guard let status = FileStatus(path) else {
            let error = Errno.current
            guard error == .noSuchFileOrDirectory else { return .unreadable(.cannotRead(path, error)) }
            // The entry may also have been removed since its name was read.
            return path.isLink ? .other : .ignored
        }
        if excludes(status.identity) { return .ignored }
        let isLink = isLink ?? path.isLink
        if status.isDirectory {
            if let directoryName, path.ends(with: directoryName) { return .ignored }
            return .folder(isLink: isLink)
        }
        return status.isRegular ? .file(status, isLink: isLink) : .other
    }
}
