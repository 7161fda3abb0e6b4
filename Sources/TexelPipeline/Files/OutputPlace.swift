package import SystemPackage

/// Where a file is written.
package struct OutputPlace: Sendable {
    let path: FilePath
    private let root: FilePath?
    private let makesDirectories: Bool
    private let isReplacing: Bool

    /// A path that the user named: symbolic links are followed, devices and pipes are written to directly, and missing
    /// directories are created.
    ///
    /// - Parameter replacing: whether an existing file may be replaced; its attributes are kept.
    package init(_ path: FilePath, replacing: Bool) {
        (self.path, root, makesDirectories, isReplacing) = (path, nil, false, replacing)
    }

    /// A path that Texel chose, below a folder that the user named: no symbolic link below that folder is followed, and
    /// a link or a device with the file's name is itself replaced.
    ///
    /// - Parameters:
    ///   - root: the folder that the user named.
    ///   - makesDirectories: whether missing directories are created.
    ///   - replacing: whether an existing file may be replaced; its attributes are kept.
    package init(_ path: FilePath, below root: FilePath, makesDirectories: Bool, replacing: Bool) {
        (self.path, self.root, self.makesDirectories, isReplacing) = (path, root, makesDirectories, replacing)
    }

    /// Whether bytes are written directly, because they cannot be collected in a file first.
    var isDirect: Bool { root == nil && path.isDeviceOrPipe }

    /// Creates the file without its name.
    ///
    /// - Throws: `alreadyExists`, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`.
    func begun() throws(FileError) -> UnfinishedFile {
        guard let root else { return try UnfinishedFile(path, replacing: isReplacing) }
        return try UnfinishedFile(path, below: root, makesDirectories: makesDirectories, replacing: isReplacing)
    }
}
