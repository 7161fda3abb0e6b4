package import SystemPackage

/// Where a file is written.
package struct OutputPlace: Sendable {
    let path: FilePath
    private let root: FilePath?
    private let makesDirectories: Bool
    private let replacement: Replacement

    /// A path that the user named: symbolic links are followed, devices and pipes are written to directly, and missing
    /// directories are created.
    ///
    /// - Parameter replacement: what the file may replace; the attributes of a replaced file are kept.
    package init(_ path: FilePath, replacing replacement: Replacement) {
        (self.path, root, makesDirectories, self.replacement) = (path, nil, false, replacement)
    }

    /// A path that Texel chose, below a folder that the user named: no symbolic link below that folder is followed, and
    /// a link or a device with the file's name is itself replaced.
    ///
    /// - Parameters:
    ///   - root: the folder that the user named.
    ///   - makesDirectories: whether missing directories are created.
    ///   - replacement: what the file may replace; the attributes of a replaced file are kept.
    package init(_ path: FilePath, below root: FilePath, makesDirectories: Bool, replacing replacement: Replacement) {
        (self.path, self.root, self.makesDirectories, self.replacement) = (path, root, makesDirectories, replacement)
    }

    /// Whether bytes are written directly, because they cannot be collected in a file first.
    var isDirect: Bool { root == nil && path.isDeviceOrPipe }

    /// Creates the file without its name.
    ///
    /// - Throws: an error of the replacement, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`.
    func begun() throws(FileError) -> UnfinishedFile {
        guard let root else { return try UnfinishedFile(path, replacing: replacement) }
        return try UnfinishedFile(path, below: root, makesDirectories: makesDirectories, replacing: replacement)
    }
}
