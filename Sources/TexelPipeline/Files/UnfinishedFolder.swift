import CFileSystems
import PlatformLibc
import Synchronization
package import SystemPackage

/// A folder that is filled under a hidden name beside its target and becomes the target when it is complete. If
/// ``install(_:)`` is not called or throws, it is removed.
///
/// No symbolic link below the folder that the user named is followed.
package final class UnfinishedFolder: Sendable {
    private let path: FilePath
    private let root: FilePath
    private let target: FilePlace
    private let temporary: FilePlace
    /// Where the folder is until it is complete.
    private let temporaryPath: FilePath
    /// The hidden name of the replaced folder until the new one is complete.
    private let former: FilePlace
    /// Unique among the unfinished files and folders of this process.
    private let number: Int
    private let isReplacing: Bool

    /// The hidden folders in use; removed if an interruption ends the process at once.
    private static let all = Mutex<[Int: FilePlace]>([:])

    /// Creates a folder below a folder that the user named, and missing folders between them.
    ///
    /// - Parameters:
    ///   - path: the target.
    ///   - root: the folder that the user named.
    ///   - replacing: whether an existing target may be replaced with all its contents.
    /// - Throws: `alreadyExists`, `outsideFolder`, `isLink`, `cannotCreate`.
    package init(_ path: FilePath, below root: FilePath, replacing: Bool) throws(FileError) {
        (self.path, self.root, isReplacing) = (path, root, replacing)
        target = try OpenDirectory.place(of: path, below: root, makesDirectories: true)
        if let status = FileStatus(target, followsLinks: false) {
            if status.isLink { throw .isLink(path) }
            if !replacing { throw .alreadyExists(path) }
            if !status.isDirectory { throw .cannotCreate(path, .notDirectory) }
        }
        number = UnfinishedFile.nextNumber()
        let name = UnfinishedFile.temporaryName(for: target.name, number)
        temporary = target.sibling(name)
        temporaryPath = path.removingLastComponent().appending(name)
        former = target.sibling(UnfinishedFile.temporaryName(for: target.name, UnfinishedFile.nextNumber()))
        Self.all.withLock { [number, temporary] in $0[number] = temporary }
        do throws(Errno) {
            try temporary.makeDirectory()
        } catch {
            Self.all.withLock { [number] in _ = $0.removeValue(forKey: number) }
            throw .cannotCreate(path, error)
        }
    }

    deinit { remove() }

    /// Removes the folder, unless it is complete.
    package func remove() {
        let isLeft = Self.all.withLock { $0.removeValue(forKey: number) != nil }
        if isLeft { temporary.removeTree() }
    }

    /// Writes a file in the folder, and missing folders above it. May be called on several threads. The file is flushed
    /// with the others by ``install(_:)``.
    ///
    /// - Parameters:
    ///   - bytes: the contents of the file.
    ///   - name: the path below the folder.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`, about the file in the target.
    package func write(_ bytes: [UInt8], to name: String) throws(FileError) {
        let file = try UnfinishedFile(
            temporaryPath.appending(name), below: root, makesDirectories: true, replacing: false)
        do {
            try file.descriptor.writeAll(bytes)
        } catch {
            throw .cannotWrite(path.appending(name), error as? Errno ?? .ioError)
        }
        try file.install(flushing: false)
    }

    /// Flushes all files and gives the folder its name. Must be called at most once.
    ///
    /// - Parameter complete: called when the folder has its name, to write what belongs to it. If it throws, the folder
    ///   is removed, and the one that it has replaced gets its name back.
    /// - Throws: `alreadyExists` if another program created the target meanwhile, `cannotWrite`, the error of
    ///   `complete`.
    package func install(_ complete: () throws(FileError) -> Void) throws(FileError) {
        try flush()
        let hasFormer = try moveFormer()
        do throws(Errno) {
            try temporary.rename(to: target)
        } catch {
            restoreFormer(hasFormer)
            let isTaken = [.fileExists, .directoryNotEmpty, .notDirectory].contains(error)
            throw isTaken ? .alreadyExists(path) : .cannotWrite(path, error)
        }
        do throws(FileError) {
            try complete()
        } catch {
            try? target.rename(to: temporary)
            restoreFormer(hasFormer)
            throw error
        }
        Self.all.withLock { _ = $0.removeValue(forKey: number) }
        if hasFormer { former.removeTree() }
    }

    /// Flushes the file system, which takes one call for thousands of files; to flush each of them takes milliseconds a
    /// file.
    private func flush() throws(FileError) {
        #if os(Linux)
            do throws(Errno) {
                let descriptor = try temporary.open(O_RDONLY | O_DIRECTORY, [])
                defer { try? descriptor.close() }
                guard syncfs(descriptor.rawValue) == 0 else { throw Errno.current }
            } catch {
                throw .cannotWrite(path, error)
            }
        #else
            sync()
        #endif
    }

    /// Gives an existing target a hidden name.
    ///
    /// - Returns: whether there was one.
    private func moveFormer() throws(FileError) -> Bool {
        guard FileStatus(target, followsLinks: false) != nil else { return false }
        guard isReplacing else { throw .alreadyExists(path) }
        do throws(Errno) {
            try target.rename(to: former)
        } catch {
            throw .cannotWrite(path, error)
        }
        return true
    }

    private func restoreFormer(_ hasFormer: Bool) {
        if hasFormer { try? former.rename(to: target) }
    }

    /// Removes all hidden folders of this process.
    static func removeAll() {
        for place in all.withLock({ Array($0.values) }) { place.removeTree() }
    }
}

extension FilePlace {
    /// Creates a directory.
    fileprivate func makeDirectory() throws(Errno) {
        guard name.withPlatformString({ mkdirat(handle, $0, 0o777) }) == 0 else { throw .current }
    }

    /// Removes the file, or the directory with all its contents. Symbolic links in it are removed and not followed;
    /// what cannot be removed is left.
    fileprivate func removeTree() {
        if remove() { return }
        guard let descriptor = try? open(O_RDONLY | O_DIRECTORY | O_NOFOLLOW, []) else { return }
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
