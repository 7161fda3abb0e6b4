import PlatformLibc
import Synchronization
package import SystemPackage
package import TexelCore

/// A file that is written in the directory of its target and becomes the target when it is complete. If
/// ``install(flushing:willAppear:)`` is not called, it is removed.
///
/// If the file system supports it, the file has no name until then, so that nothing remains even if the process is
/// killed; otherwise it has a hidden name, and ``Leftovers`` removes it later.
package final class UnfinishedFile: Sendable {
    /// The descriptor to write to; its offset is at the end of the written bytes.
    package let descriptor: FileDescriptor
    /// Attributes of the replaced file that this one could not get, such as "owner".
    let lostAttributes: [String]

    private let path: FilePath
    private let target: FilePlace
    private let hidden: HiddenName
    private let isUnnamed: Bool
    private let replacement: Replacement
    private let isClosed = Atomic(false)

    /// Creates a file for a path that the user named, and missing directories above it.
    ///
    /// - Parameter replacement: what it may replace; the attributes of the replaced file are kept.
    /// - Throws: an error of `replacement`, `cannotCreate`, `cannotWrite`.
    package convenience init(_ path: FilePath, replacing replacement: Replacement) throws(TexelError) {
        let itself = FileStatus(path, followsLinks: false)
        if itself == nil { try path.removingLastComponent().makeDirectories() }
        // A symbolic link stays; the file it leads to is replaced, or made.
        let isLink = itself?.isLink ?? false
        let status = isLink ? FileStatus(path) : itself
        if isLink, status == nil, replacement.isOfNothing { throw .alreadyExists(path) }
        let target = isLink ? try path.followingLinks() : path
        try self.init(path, target: FilePlace(target), in: nil, status, replacement)
    }

    /// Creates a file below a folder that the user named, without following symbolic links below that folder.
    ///
    /// - Parameters:
    ///   - makesDirectories: whether missing directories are created.
    ///   - replacement: what it may replace; the attributes of a regular file are kept.
    /// - Throws: an error of `replacement`, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`.
    package convenience init(
        _ path: FilePath, below root: FilePath, makesDirectories: Bool, replacing replacement: Replacement
    ) throws(TexelError) {
        let target = try OpenDirectory.place(of: path, below: root, makesDirectories: makesDirectories)
        try self.init(path, target: target, in: nil, FileStatus(target, followsLinks: false), replacement)
    }

    /// Creates a file that only its owner can read, in another directory of the same file system. Whatever has the
    /// target's name at the end is replaced, including a symbolic link.
    ///
    /// - Throws: `cannotCreate`.
    convenience init(_ path: FilePath, madeIn directory: FilePath) throws(TexelError) {
        try self.init(path, target: FilePlace(path), in: directory, nil, .anything)
    }

    /// - Parameters:
    ///   - directory: where the file is created with a hidden name and for its owner only; `nil` for the target's
    ///     directory.
    ///   - status: of the existing target, if any.
    private init(
        _ path: FilePath, target: FilePlace, in directory: FilePath?, _ status: FileStatus?,
        _ replacement: Replacement
    ) throws(TexelError) {
        if let refusal = replacement.refusal(of: path, status) { throw refusal }
        (self.path, self.target, self.replacement) = (path, target, replacement)
        let former = status.flatMap { FileAttributes(target, $0) }
        let permissions: FilePermissions =
            directory != nil
            ? .ownerReadWrite : former?.permissions ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
        if directory == nil { Leftovers.remove(beside: target) }
        if directory == nil, let unnamed = target.openUnnamed(permissions) {
            (descriptor, isUnnamed) = (unnamed, true)
            hidden = HiddenName(target)
            // Held when the file gets a hidden name.
            _ = descriptor.takeLock()
        } else {
            do throws(Errno) {
                (hidden, descriptor) = try HiddenName.made(for: target, in: directory) { place throws(Errno) in
                    try place.open(O_RDWR | O_CREAT | O_EXCL, permissions)
                }
            } catch {
                throw .cannotCreate(path, error)
            }
            isUnnamed = false
        }
        // The umask was applied to the new file; the replaced file's permissions are set again.
        do throws(Errno) {
            lostAttributes = try former?.apply(to: descriptor) ?? []
        } catch {
            throw .cannotWrite(path, error)
        }
    }

    deinit {
        if !isClosed.load(ordering: .acquiring) { try? close() }
        hidden.remove()
    }

    /// Reads bytes that were written.
    func contents(_ range: Range<Int>) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            while initialized < range.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[initialized..<range.count])
                let read = try descriptor.read(fromAbsoluteOffset: Int64(range.lowerBound + initialized), into: rest)
                if read == 0 { throw Errno.ioError }
                initialized += read
            }
        }
    }

    /// Flushes the file and gives it the target's name. Must be called at most once.
    ///
    /// - Parameters:
    ///   - flushing: whether the content must survive a power failure; it survives the end of the process in any
    ///     case.
    ///   - willAppear: called after all bytes are written, if the file may get its name.
    /// - Throws: an error of the replacement if another program created or changed the target meanwhile,
    ///   `cannotCreate`, `cannotWrite`; the target is as it was then.
    package func install(flushing: Bool = true, willAppear: () -> Void = {}) throws(TexelError) {
        do throws(Errno) {
            if flushing {
                if fdatasync(descriptor.rawValue) != 0 { throw .current }
            } else if !isUnnamed {
                // May report a delayed write error. An unnamed file must stay open until it has a name.
                try close()
            }
        } catch {
            throw .cannotWrite(path, error)
        }
        if let refusal = replacement.refusal(of: path, FileStatus(target, followsLinks: false)) { throw refusal }
        willAppear()
        try takeName()
        hidden.forget()
        if !isClosed.load(ordering: .acquiring) { try? close() }
        // After a power failure a new name is there or not, but what was replaced must not come back. The file is in
        // place already, so an error would be wrong.
        if flushing, !replacement.isOfNothing, let folder = try? target.openFolder() {
            fsync(folder.rawValue)
            try? folder.close()
        }
    }

    private func close() throws(Errno) {
        isClosed.store(true, ordering: .releasing)
        // A child that is being started may have a copy of the descriptor.
        descriptor.releaseLock()
        do { try descriptor.close() } catch { throw error as? Errno ?? .ioError }
    }

    private func takeName() throws(TexelError) {
        do throws(Errno) {
            if isUnnamed {
                // `linkat` cannot replace a file, so the new one gets a hidden name first and is renamed.
                if try takeFreeName() { return }
                hidden.register()
                try hidden.place.take(descriptor)
            }
            if replacement.isOfNothing { return try hidden.place.renameToFreeName(target) }
            guard replacement.requiredState != nil else { return try hidden.place.rename(to: target) }
        } catch {
            throw switch error {
            case .fileExists: .alreadyExists(path)
            case .fileNameTooLong: .cannotCreate(path, error)
            default: .cannotWrite(path, error)
            }
        }
        if let state = replacement.requiredState { try replace(state) }
    }

    /// Gives the unnamed file the target's name if that is free.
    private func takeFreeName() throws(Errno) -> Bool {
        guard replacement.requiredState == nil else { return false }
        do throws(Errno) {
            try target.take(descriptor)
            return true
        } catch {
            guard !replacement.isOfNothing, error == .fileExists else { throw error }
            return false
        }
    }

    /// Replaces a file in a certain state. The state was checked, but a file may change at any time: so the two files
    /// exchange their names, the former one is checked again, and gets its name back if it has changed.
    private func replace(_ state: FileState) throws(TexelError) {
        do throws(Errno) {
            try hidden.place.exchange(with: target)
        } catch {
            if error == .noSuchFileOrDirectory { throw .changed(path) }
            guard error.isMissingFeature else { throw .cannotWrite(path, error) }
            // The check before was the last one.
            do throws(Errno) { try hidden.place.rename(to: target) } catch { throw .cannotWrite(path, error) }
            return
        }
        let former = FileStatus(hidden.place, followsLinks: false).flatMap { FileState($0) }
        if let former, former.hasContent(of: state) {
            hidden.place.remove()
            return
        }
        do throws(Errno) {
            try hidden.place.exchange(with: target)
        } catch {
            // The target has been removed as well; what has the hidden name is another program's file.
            try? hidden.place.renameToFreeName(target)
            hidden.forget()
        }
        throw .changed(path)
    }
}

extension FilePath {
    /// The path that this symbolic link leads to, whether or not a file is there.
    ///
    /// - Throws: `cannotCreate` if the links lead in a circle.
    fileprivate func followingLinks() throws(TexelError) -> FilePath {
        var path = self
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let next = path.linkTarget else { return path }
            path = path.removingLastComponent().pushing(next)
        }
        throw .cannotCreate(self, .tooManySymbolicLinkLevels)
    }

    /// The text of a symbolic link; `nil` for anything else.
    private var linkTarget: FilePath? {
        withPlatformString { path in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
                guard let text = buffer.baseAddress else { return nil }
                // One byte is left for the terminating zero.
                let length = readlink(path, text, buffer.count - 1)
                guard length > 0 else { return nil }
                buffer[length] = 0
                return FilePath(platformString: text)
            }
        }
    }
}
