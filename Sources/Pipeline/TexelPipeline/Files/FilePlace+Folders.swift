import PlatformLibc
import SystemPackage

extension FilePlace {
    /// Creates a directory.
    func makeDirectory() throws(Errno) {
        guard name.withPlatformString({ mkdirat(handle, $0, 0o777) }) == 0 else { throw .current }
    }

    /// Opens this directory itself, not one that a link leads to.
    func openItself() throws(Errno) -> FileDescriptor { try open(O_RDONLY | O_DIRECTORY | O_NOFOLLOW, []) }

    /// Removes the file, or the directory with all its contents. Symbolic links in it are removed and not followed;
    /// what cannot be removed is left.
    func removeTree() {
        if remove() { return }
        guard let descriptor = try? openItself() else { return }
        Self.removeContents(of: descriptor)
        _ = name.withPlatformString { unlinkat(handle, $0, AT_REMOVEDIR) }
    }

    /// - Parameter directory: closed at the end.
    private static func removeContents(of directory: FileDescriptor) {
        guard let stream = fdopendir(directory.rawValue) else {
            try? directory.close()
            return
        }
        // Closes the descriptor too.
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // At most 255 bytes and the terminating zero.
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
                    if unlinkat(directory.rawValue, name, 0) == 0 { return }
                    let opened = openat(
                        directory.rawValue, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                    guard opened >= 0 else { return }
                    removeContents(of: FileDescriptor(rawValue: opened))
                    unlinkat(directory.rawValue, name, AT_REMOVEDIR)
                }
            }
        }
    }
}
