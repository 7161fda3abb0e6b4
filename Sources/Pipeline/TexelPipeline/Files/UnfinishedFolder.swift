import CFileSystems
import PlatformLibc
import Synchronization
package import SystemPackage
package import TexelCore

/// A folder that is filled under a hidden name beside its target and becomes the target when it is complete. If
/// ``install(_:)`` is not called or throws, it is removed.
///
/// No symbolic link below the folder that the user named is followed.
package final class UnfinishedFolder: Sendable {
    private let path: FilePath
    private let root: FilePath
    private let target: FilePlace
    private let hidden: HiddenName
    /// Open and locked as long as the folder is incomplete.
    private let descriptor: FileDescriptor
    /// Where the folder is until it is complete.
    private let hiddenPath: FilePath
    private let isReplacing: Bool

    /// Creates a folder below a folder that the user named, and missing folders between them.
    ///
    /// - Parameters:
    ///   - path: the target.
    ///   - root: the folder that the user named.
    ///   - replacing: whether an existing target may be replaced with all its contents.
    /// - Throws: `alreadyExists`, `outsideFolder`, `isLink`, `cannotCreate`.
    package init(_ path: FilePath, below root: FilePath, replacing: Bool) throws(TexelError) {
        (self.path, self.root, isReplacing) = (path, root, replacing)
        target = try OpenDirectory.place(of: path, below: root, makesDirectories: true)
        if let status = FileStatus(target, followsLinks: false) {
            if status.isLink { throw .isLink(path) }
            if !replacing { throw .alreadyExists(path) }
            if !status.isDirectory { throw .cannotCreate(path, .notDirectory) }
        }
        Leftovers.remove(beside: target)
        do throws(Errno) {
            (hidden, descriptor) = try HiddenName.made(for: target) { place throws(Errno) in
                try place.makeDirectory()
                return try place.openItself()
            }
        } catch {
            throw .cannotCreate(path, error)
        }
        hiddenPath = hidden.place.name.lastComponent.map { path.removingLastComponent().appending($0) } ?? path
    }

    deinit {
        remove()
        descriptor.releaseLock()
        try? descriptor.close()
    }

    /// Removes the folder, unless it is complete.
    package func remove() { hidden.remove() }

    /// Writes a file in the folder, and missing folders above it. May be called on several threads. The file is flushed
    /// with the others by ``install(_:)``.
    ///
    /// - Parameters:
    ///   - bytes: the contents of the file.
    ///   - name: the path below the folder.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`, about the file in the target.
    package func write(_ bytes: [UInt8], to name: String) throws(TexelError) {
        let place = try OpenDirectory.place(of: hiddenPath.appending(name), below: root, makesDirectories: true)
        do {
            let file = try place.open(O_WRONLY | O_CREAT | O_EXCL, [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
            try file.closeAfter { _ = try file.writeAll(bytes) }
        } catch Errno.fileExists {
            throw .alreadyExists(path.appending(name))
        } catch {
            throw .cannotWrite(path.appending(name), error as? Errno ?? .ioError)
        }
    }

    /// Flushes all files and gives the folder its name. Must be called at most once.
    ///
    /// - Parameter complete: called when the folder has its name, to write what belongs to it. If it throws, the folder
    ///   is removed, and the one that it has replaced gets its name back.
    /// - Throws: `alreadyExists` if another program created the target meanwhile, `cannotWrite`, the error of
    ///   `complete`.
    package func install(_ complete: () throws(TexelError) -> Void) throws(TexelError) {
        try flush()
        let former = try takeName()
        defer {
            former?.releaseLock()
            try? former?.close()
        }
        do throws(TexelError) {
            try complete()
        } catch {
            if former != nil { try? exchange() } else { try? target.rename(to: hidden.place) }
            throw error
        }
        if former == nil { hidden.forget() } else { hidden.remove() }
    }

    /// Flushes the file system, which takes one call for thousands of files; to flush each of them takes milliseconds a
    /// file.
    private func flush() throws(TexelError) {
        #if os(Linux)
            do throws(Errno) {
                guard syncfs(descriptor.rawValue) == 0 else { throw Errno.current }
            } catch {
                throw .cannotWrite(path, error)
            }
        #else
            sync()
        #endif
    }

    /// Gives the folder its name. A folder that had the name has the hidden one afterwards.
    ///
    /// - Returns: the former folder, locked; `nil` if there was none.
    private func takeName() throws(TexelError) -> FileDescriptor? {
        do throws(Errno) {
            guard FileStatus(target, followsLinks: false) != nil else {
                try hidden.place.renameToFreeName(target)
                return nil
            }
            guard isReplacing else { throw .fileExists }
            let former = try target.openItself()
            _ = former.takeLock()
            do throws(Errno) {
                try exchange()
            } catch {
                try? former.close()
                throw error
            }
            return former
        } catch {
            let isTaken = [.fileExists, .directoryNotEmpty, .notDirectory].contains(error)
            throw isTaken ? .alreadyExists(path) : .cannotWrite(path, error)
        }
    }

    /// Exchanges the names of this folder and the target.
    private func exchange() throws(Errno) {
        do throws(Errno) {
            try hidden.place.exchange(with: target)
        } catch {
            guard error.isMissingFeature else { throw error }
            let third = HiddenName(target)
            try target.rename(to: third.place)
            do throws(Errno) {
                try hidden.place.rename(to: target)
            } catch {
                try? third.place.rename(to: target)
                throw error
            }
            try third.place.rename(to: hidden.place)
        }
    }
}
