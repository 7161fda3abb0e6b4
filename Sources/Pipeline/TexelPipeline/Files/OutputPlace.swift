package import SystemPackage
import TexelCore

/// Where a result is written while it is made, if it is too large for memory.
public struct OutputPlace: Sendable {
    let path: FilePath
    private let root: FilePath?
    private let makesDirectories: Bool
    private let replacement: Replacement

    /// Without a root, the user named the path: symbolic links are followed, devices and pipes are written to directly,
    /// and missing directories are created. With a root, Texel chose the path below a folder that the user named: no
    /// symbolic link below that folder is followed, and a link or a device with the file's name is itself replaced.
    ///
    /// - Parameters:
    ///   - root: the folder that the user named.
    ///   - makesDirectories: whether missing directories below `root` are created.
    ///   - replacement: what the file may replace; the attributes of a replaced file are kept.
    package init(
        _ path: FilePath, below root: FilePath? = nil, makesDirectories: Bool = true, replacing replacement: Replacement
    ) {
        (self.path, self.root, self.makesDirectories, self.replacement) = (path, root, makesDirectories, replacement)
    }

    /// Whether bytes are written directly, because they cannot be collected in a file first.
    var isDirect: Bool { root == nil && path.isDeviceOrPipe }

    /// Creates the file without its name.
    ///
    /// - Throws: an error of the replacement, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`.
    func begun() throws(TexelError) -> UnfinishedFile {
        guard let root else { return try UnfinishedFile(path, replacing: replacement) }
        return try UnfinishedFile(path, below: root, makesDirectories: makesDirectories, replacing: replacement)
    }
}
