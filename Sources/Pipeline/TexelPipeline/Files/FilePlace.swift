import CFileSystems
import PlatformLibc
package import SystemPackage

/// The location of a file: a name relative to an open directory, or a path. Names are passed on as bytes, since they
/// need not be valid text.
package struct FilePlace: Sendable {
    /// `nil` if the name is a path.
    private let directory: OpenDirectory?
    package let name: FilePath

    package init(_ name: FilePath, in directory: OpenDirectory? = nil) {
        (self.name, self.directory) = (name, directory)
    }

    var handle: Int32 { directory?.descriptor.rawValue ?? AT_FDCWD }

    /// A place with another name in the same directory.
    func sibling(_ name: FilePath.Component) -> FilePlace {
        FilePlace(self.name.removingLastComponent().appending(name), in: directory)
    }

    /// Opens the file (close on exec) with the flags of `openat`.
    func open(_ options: Int32, _ permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        let opened = name.withPlatformString { openat(handle, $0, options | O_CLOEXEC, permissions.rawValue) }
        guard opened >= 0 else { throw .current }
        return FileDescriptor(rawValue: opened)
    }

    /// Creates a file without a name in the same directory, which vanishes with its last descriptor. Returns `nil` if
    /// the system or file system does not support this.
    func openUnnamed(_ permissions: FilePermissions) -> FileDescriptor? {
        #if os(Linux)
            guard Self.namesLater else { return nil }
            let folder = name.removingLastComponent()
            // O_TMPFILE; Swift does not import it.
            let options = 0o20_000_000 | O_DIRECTORY | O_RDWR
            return try? FilePlace(folder.isEmpty ? "." : folder, in: directory).open(options, permissions)
        #else
            return nil
        #endif
    }

    #if os(Linux)
        /// Whether an unnamed file can be given a name later (`/proc` is mounted).
        private static let namesLater = access("/proc/self/fd", X_OK) == 0
    #endif

    /// Gives an unnamed open file this name, which must be free.
    func take(_ descriptor: FileDescriptor) throws(Errno) {
        let status = name.withPlatformString {
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.rawValue)", handle, $0, AT_SYMLINK_FOLLOW)
        }
        guard status == 0 else { throw .current }
    }

    /// Renames this file, and replaces the file that has the other name.
    package func rename(to other: FilePlace) throws(Errno) {
        try withNames(other) { renameat(handle, $0, other.handle, $1) }
    }

    /// Renames this file, unless another one has the name.
    ///
    /// - Throws: `fileExists` if the name is not free.
    package func renameToFreeName(_ other: FilePlace) throws(Errno) {
        #if os(Linux)
            do throws(Errno) {
                return try withNames(other) {
                    texel_renameat2(handle, $0, other.handle, $1, texel_rename_noreplace)
                }
            } catch {
                guard error.isMissingFeature else { throw error }
            }
        #endif
        // A second name must be free too; not every file system supports it.
        do throws(Errno) {
            try withNames(other) { linkat(handle, $0, other.handle, $1, 0) }
            remove()
        } catch {
            if error == .fileExists || other.status(followsLinks: false) != nil { throw .fileExists }
            try rename(to: other)
        }
    }

    /// Exchanges the names of two files or folders at once. Both must exist.
    ///
    /// - Throws: the system's error; `isMissingFeature` if the system or file system cannot do it.
    func exchange(with other: FilePlace) throws(Errno) {
        #if os(Linux)
            try withNames(other) { texel_renameat2(handle, $0, other.handle, $1, texel_rename_exchange) }
        #else
            throw .notSupported
        #endif
    }

    private func withNames(
        _ other: FilePlace, _ call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
    ) throws(Errno) {
        let status = name.withPlatformString { own in other.name.withPlatformString { call(own, $0) } }
        guard status == 0 else { throw .current }
    }

    /// Opens the directory that contains the file.
    func openFolder() throws(Errno) -> FileDescriptor {
        let folder = name.removingLastComponent()
        return try FilePlace(folder.isEmpty ? "." : folder, in: directory).open(O_RDONLY | O_DIRECTORY, [])
    }

    /// Removes the file.
    ///
    /// - Returns: whether a file was removed.
    @discardableResult
    package func remove() -> Bool { name.withPlatformString { unlinkat(handle, $0, 0) } == 0 }

    /// The result of `fstatat`; `nil` if it fails.
    func status(followsLinks: Bool) -> stat? {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        return name.withPlatformString { fstatat(handle, $0, &status, flags) } == 0 ? status : nil
    }
}

extension Errno {
    /// Whether the error means that the kernel or the file system lacks the call.
    var isMissingFeature: Bool { [.invalidArgument, .noFunction, .notSupported].contains(self) }
}
