import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A directory that is held open: what is made in it lies in it, whatever becomes of its name.
final class OpenDirectory: Sendable {
    let descriptor: FileDescriptor
    /// As it was called, for errors.
    private let path: FilePath

    #if os(Linux)
        /// O_PATH, which Swift does not see: a place, without the right to read it.
        private static let options: Int32 = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC
    #else
        private static let options = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    #endif

    deinit { try? descriptor.close() }

    /// Opens a directory that people named; links are followed.
    private init(named path: FilePath) throws(FileError) {
        let opened = (path.isEmpty ? "." : path).withPlatformString { open($0, Self.options) }
        guard opened >= 0 else { throw .cannotCreate(path, .current) }
        (descriptor, self.path) = (FileDescriptor(rawValue: opened), path)
    }

    /// Opens a directory in another; a link is refused.
    private init(_ name: FilePath.Component, in parent: OpenDirectory, makesIt: Bool) throws(FileError) {
        path = parent.path.appending(name)
        let handle = parent.descriptor.rawValue
        let opened = name.withPlatformString { name in
            let opened = openat(handle, name, Self.options | O_NOFOLLOW)
            guard opened < 0, Errno.current == .noSuchFileOrDirectory, makesIt else { return opened }
            // Another thread may make it at the same time.
            guard mkdirat(handle, name, 0o777) == 0 || Errno.current == .fileExists else { return opened }
            return openat(handle, name, Self.options | O_NOFOLLOW)
        }
        guard opened >= 0 else {
            let errno = Errno.current
            let isLink =
                FileStatus(FilePlace(FilePath(root: nil, components: name), in: parent), followsLinks: false)?.isLink
                ?? false
            throw isLink ? .isLink(path) : .cannotCreate(path, errno)
        }
        descriptor = FileDescriptor(rawValue: opened)
    }

    /// The place of a file below a folder that people named. Nothing below that folder is reached through a link.
    ///
    /// - Parameter makesDirectories: whether those that are missing are made, the folder itself too.
    /// - Throws: `leavesFolder`, `isLink`, `cannotCreate`.
    static func place(
        of file: FilePath, below root: FilePath, makesDirectories: Bool
    ) throws(FileError) -> FilePlace {
        guard let relative = file.relative(to: root), let name = relative.last else { throw .leavesFolder(file, root) }
        if makesDirectories { try root.makeDirectories() }
        var directory = try OpenDirectory(named: root)
        for component in relative.dropLast() {
            directory = try OpenDirectory(component, in: directory, makesIt: makesDirectories)
        }
        return FilePlace(FilePath(root: nil, components: name), in: directory)
    }
}

extension FilePath {
    /// The names that lead from a folder to this, the last its own; `nil` where this is not below the folder.
    func relative(to root: FilePath) -> [Component]? {
        var rest = self
        guard root.isEmpty || rest.removePrefix(root), rest.root == nil else { return nil }
        let names = Array(rest.components).filter { $0.kind != .currentDirectory }
        return names.isEmpty || names.contains { $0.kind == .parentDirectory } ? nil : names
    }
}
