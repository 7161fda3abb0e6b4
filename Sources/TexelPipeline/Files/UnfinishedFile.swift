import PlatformLibc
import Synchronization
package import SystemPackage

/// A file that is written in the directory of its target and becomes the target when it is complete. If
/// ``install(flushing:willAppear:)`` is not called, it is removed.
///
/// If the file system supports it, the file has no name until then, so that nothing remains even if the process is
/// killed; otherwise it has a hidden name.
package final class UnfinishedFile: Sendable {
    /// The descriptor to write to; its offset is at the end of the written bytes.
    package let descriptor: FileDescriptor
    /// Attributes of the replaced file that could not be set on this one, such as "owner".
    let lostAttributes: [String]

    private let path: FilePath
    private let target: FilePlace
    /// The directory for the hidden name; `nil` for the target's.
    private let directory: FilePath?
    /// Unique within this process.
    private let number: Int
    private let isUnnamed: Bool
    private let isReplacing: Bool
    private let isClosed = Atomic(false)

    /// The hidden names in use; removed if an interruption ends the process at once.
    private static let all = Mutex<[Int: FilePlace]>([:])
    /// Starts at a random number, because processes in different containers that share a folder may have the same ID.
    private static let counter = Atomic(Int.random(in: 0..<1 << 32))

    /// Creates a file for a path that the user named, and missing directories above it.
    ///
    /// - Parameter replacing: whether an existing file may be replaced; its attributes are kept.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`.
    package convenience init(_ path: FilePath, replacing: Bool) throws(FileError) {
        let status = FileStatus(path)
        // A symbolic link stays; the file it leads to is replaced.
        let target = status == nil ? path : Self.resolved(path)
        if status == nil { try path.removingLastComponent().makeDirectories() }
        try self.init(path, target: FilePlace(target), in: nil, status, replacing: replacing)
    }

    /// Creates a file below a folder that the user named, without following symbolic links below that folder.
    ///
    /// - Parameters:
    ///   - makesDirectories: whether missing directories are created.
    ///   - replacing: whether anything with the file's name may be replaced; the attributes of a regular file are
    ///     kept.
    /// - Throws: `alreadyExists`, `outsideFolder`, `isLink`, `cannotCreate`, `cannotWrite`.
    package convenience init(
        _ path: FilePath, below root: FilePath, makesDirectories: Bool, replacing: Bool
    ) throws(FileError) {
        let target = try OpenDirectory.place(of: path, below: root, makesDirectories: makesDirectories)
        try self.init(
            path, target: target, in: nil, FileStatus(target, followsLinks: false), replacing: replacing)
    }

    /// Creates a file that only its owner can read, in another directory of the same file system. Whatever has the
    /// target's name at the end is replaced, including a symbolic link.
    ///
    /// - Throws: `cannotCreate`.
    convenience init(_ path: FilePath, madeIn directory: FilePath) throws(FileError) {
        try self.init(path, target: FilePlace(path), in: directory, nil, replacing: true)
    }

    /// - Parameters:
    ///   - directory: where the file is created with a hidden name and for its owner only; `nil` for the target's
    ///     directory.
    ///   - status: of the existing target, if any.
    private init(
        _ path: FilePath, target: FilePlace, in directory: FilePath?, _ status: FileStatus?, replacing: Bool
    ) throws(FileError) {
        if status != nil, !replacing { throw .alreadyExists(path) }
        number = Self.nextNumber()
        (self.path, self.target, self.directory, isReplacing) = (path, target, directory, replacing)
        let former = status.flatMap { FileAttributes(target, $0) }
        let permissions: FilePermissions =
            directory != nil
            ? .ownerReadWrite : former?.permissions ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
        if directory == nil, let unnamed = target.openUnnamed(permissions) {
            (descriptor, isUnnamed) = (unnamed, true)
        } else {
            let temporary = Self.temporaryPlace(target, directory, number)
            Self.all.withLock { [number] in $0[number] = temporary }
            do throws(Errno) {
                descriptor = try temporary.open(O_RDWR | O_CREAT | O_EXCL, permissions)
            } catch {
                Self.all.withLock { [number] in _ = $0.removeValue(forKey: number) }
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
        if !isClosed.load(ordering: .acquiring) { try? descriptor.close() }
        // An installed file is no longer registered.
        Self.all.withLock { $0.removeValue(forKey: number) }?.remove()
    }

    /// The place with the hidden name.
    private var temporary: FilePlace { Self.temporaryPlace(target, directory, number) }

    private static func temporaryPlace(_ target: FilePlace, _ directory: FilePath?, _ number: Int) -> FilePlace {
        let name = temporaryName(for: target.name, number)
        return directory.map { FilePlace($0.appending(name)) } ?? target.sibling(name)
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
    ///   - willAppear: called after all bytes are written and the name was found to be free.
    /// - Throws: `alreadyExists` if another program created the file meanwhile, `cannotCreate`, `cannotWrite`; no
    ///   file remains then.
    package func install(flushing: Bool = true, willAppear: () -> Void = {}) throws(FileError) {
        do throws(Errno) {
            if flushing, fdatasync(descriptor.rawValue) != 0 { throw Errno.current }
            // `close` may report a delayed write error. An unnamed file must stay open until it has a name.
            if !isUnnamed { try close() }
            if !isReplacing, FileStatus(target, followsLinks: false) != nil { throw .fileExists }
            willAppear()
            try isUnnamed ? takeFirstName() : takeName()
            Self.all.withLock { _ = $0.removeValue(forKey: number) }
            if isUnnamed { try? close() }
        } catch {
            switch error {
            case .fileExists: throw .alreadyExists(path)
            case .fileNameTooLong: throw .cannotCreate(path, error)
            default: throw .cannotWrite(path, error)
            }
        }
    }

    /// Removes all files with hidden names of this process.
    static func removeAll() {
        for place in all.withLock({ $0.values }) { place.remove() }
    }

    private func close() throws(Errno) {
        isClosed.store(true, ordering: .releasing)
        do { try descriptor.close() } catch { throw error as? Errno ?? .ioError }
    }

    private func takeFirstName() throws(Errno) {
        do throws(Errno) {
            return try target.take(descriptor)
        } catch {
            guard isReplacing, error == .fileExists else { throw error }
        }
        // `linkat` cannot replace a file, so the new one gets a hidden name first and is renamed.
        let temporary = temporary
        Self.all.withLock { $0[number] = temporary }
        try temporary.take(descriptor)
        try temporary.rename(to: target)
    }

    private func takeName() throws(Errno) {
        if isReplacing { return try temporary.rename(to: target) }
        // A hard link fails if another program created the file meanwhile; not every file system supports them.
        do throws(Errno) {
            try temporary.link(to: target)
            temporary.remove()
        } catch {
            if error == .fileExists { throw error }
            try temporary.rename(to: target)
        }
    }

    /// Whether a name may be the hidden name of an unfinished file.
    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.contains(".texel-") }

    /// A number that no other unfinished file or folder of this process has.
    static func nextNumber() -> Int { counter.wrappingAdd(1, ordering: .relaxed).newValue }

    /// A hidden name that no other unfinished file or folder has.
    static func temporaryName(for path: FilePath, _ number: Int) -> FilePath.Component {
        // Names are limited to 255 bytes; the first 40 of the target's are enough to recognise it. A limit in
        // characters would not bound the bytes.
        let beginning = String(decoding: (path.lastComponent?.string ?? "output").utf8.prefix(40), as: UTF8.self)
        let suffix = "texel-\(getpid())-\(number)"
        return FilePath.Component(".\(beginning).\(suffix)") ?? FilePath.Component(".\(suffix)") ?? "texel"
    }

    private static func resolved(_ path: FilePath) -> FilePath {
        guard let resolved = path.withPlatformString({ realpath($0, nil) }) else { return path }
        defer { free(resolved) }
        return FilePath(platformString: resolved)
    }
}
