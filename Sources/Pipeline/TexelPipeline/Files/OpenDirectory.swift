import PlatformLibc
package import SystemPackage
package import TexelCore

/// An open directory: files are created in it even if it is renamed meanwhile.
package final class OpenDirectory: Sendable {
    let descriptor: FileDescriptor
    /// The path it was opened with, for errors.
    private let path: FilePath

    #if os(Linux)
        /// O_PATH, which Swift does not import: a reference that needs no read permission.
        private static let options: Int32 = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC
    #else
        private static let options = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    #endif

    deinit { try? descriptor.close() }

    /// Opens a directory that the user named; symbolic links are followed.
    private init(named path: FilePath, makesIt: Bool) throws(TexelError) {
        func handle() -> Int32 { (path.isEmpty ? "." : path).withPlatformString { open($0, Self.options) } }
        var opened = handle()
        if opened < 0, Errno.current == .noSuchFileOrDirectory, makesIt {
            try path.makeDirectories()
            opened = handle()
        }
        guard opened >= 0 else { throw .cannotCreate(path, .current) }
        (descriptor, self.path) = (FileDescriptor(rawValue: opened), path)
    }

    /// Opens a directory in another one; throws if it is a symbolic link.
    private init(_ name: FilePath.Component, in parent: OpenDirectory, makesIt: Bool) throws(TexelError) {
        path = parent.path.appending(name)
        let handle = parent.descriptor.rawValue
        let opened = name.withPlatformString { name in
            let opened = openat(handle, name, Self.options | O_NOFOLLOW)
            guard opened < 0, Errno.current == .noSuchFileOrDirectory, makesIt else { return opened }
            // Another thread may create it at the same time.
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

    /// Opens the directory of a file below a folder that the user named. No symbolic link below that folder is
    /// followed.
    ///
    /// - Parameter makesDirectories: whether missing directories are created, including the folder itself.
    /// - Throws: `outsideFolder`, `isLink`, `cannotCreate`.
    package static func place(
        of file: FilePath, below root: FilePath, makesDirectories: Bool
    ) throws(TexelError) -> FilePlace {
        guard let relative = file.relative(to: root), let name = relative.last else { throw .outsideFolder(file, root) }
        var directory = try OpenDirectory(named: root, makesIt: makesDirectories)
        for component in relative.dropLast() {
            directory = try OpenDirectory(component, in: directory, makesIt: makesDirectories)
        }
        return FilePlace(FilePath(root: nil, components: name), in: directory)
    }
}

extension FilePath {
    /// The path components from a folder to this file; `nil` if it is not below the folder.
    package func relative(to root: FilePath) -> [Component]? {
        var rest = self
        guard root.isEmpty || rest.removePrefix(root), rest.root == nil else { return nil }
        let names = Array(rest.components).filter { $0.kind != .currentDirectory }
        return names.isEmpty || names.contains { $0.kind == .parentDirectory } ? nil : names
    }
}
