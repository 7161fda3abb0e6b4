import Synchronization
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is being written in the directory of its target, and becomes the target when it is whole. Without
/// ``install()`` nothing is left of it.
///
/// Where the file system can, it has no name until then, so that nothing is left of a process that is killed either;
/// elsewhere a hidden one.
package final class UnfinishedFile: Sendable {
    /// Where to write; its file position is at the end of what was written.
    package let descriptor: FileDescriptor
    /// What the file to be replaced has and this one could not be given, such as "owner".
    let lostAttributes: [String]

    private let path: FilePath
    private let target: FilePlace
    private let temporary: FilePlace
    /// Among those of this process.
    private let number: Int
    private let isUnnamed: Bool
    private let isReplacing: Bool
    private let isClosed = Atomic(false)

    /// Hidden names in use now; an impatient interruption removes them.
    private static let all = Mutex<[Int: FilePlace]>([:])
    /// Two processes may have the same number, in containers that share a folder, so each begins somewhere else.
    private static let counter = Atomic(Int.random(in: 0..<1 << 32))

    /// Begins a file that people named.
    ///
    /// - Parameter replacing: whether an existing file may be replaced; its attributes are kept.
    /// - Throws: `alreadyExists`, `cannotCreate`, `cannotWrite`.
    package convenience init(_ path: FilePath, replacing: Bool) throws(FileError) {
        let status = FileStatus(path)
        // A link keeps being a link: what it points to is replaced.
        let target = status == nil ? path : Self.resolved(path)
        try self.init(path, target: FilePlace(target), in: nil, status, replacing: replacing)
    }

    /// Begins a file below a folder that people named, and reaches it through no link below that.
    ///
    /// - Parameters:
    ///   - makesDirectories: whether those that are missing are made.
    ///   - replacing: whether whatever has its name may be replaced; the attributes of a file are kept.
    /// - Throws: `alreadyExists`, `leavesFolder`, `isLink`, `cannotCreate`, `cannotWrite`.
    package convenience init(
        _ path: FilePath, below root: FilePath, makesDirectories: Bool, replacing: Bool
    ) throws(FileError) {
        let target = try OpenDirectory.place(of: path, below: root, makesDirectories: makesDirectories)
        try self.init(
            path, target: target, in: nil, FileStatus(target, followsLinks: false), replacing: replacing)
    }

    /// Begins a file for the owner alone, in another directory of the same file system. Whatever has its name at the
    /// end is replaced, a link too.
    ///
    /// - Throws: `cannotCreate`.
    convenience init(_ path: FilePath, madeIn directory: FilePath) throws(FileError) {
        try self.init(path, target: FilePlace(path), in: directory, nil, replacing: true)
    }

    /// - Parameters:
    ///   - directory: where it is made under a hidden name, for the owner alone; `nil` for that of the target.
    ///   - status: of what is there.
    private init(
        _ path: FilePath, target: FilePlace, in directory: FilePath?, _ status: FileStatus?, replacing: Bool
    ) throws(FileError) {
        if status != nil, !replacing { throw .alreadyExists(path) }
        number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        let name = Self.temporaryName(for: target.name, number)
        temporary = directory.map { FilePlace($0.appending(name)) } ?? target.sibling(name)
        (self.path, self.target, isReplacing) = (path, target, replacing)
        let former = status.flatMap { FileAttributes(target, $0) }
        let permissions: FilePermissions =
            directory != nil
            ? .ownerReadWrite : former?.permissions ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
        if directory == nil, let unnamed = temporary.openUnnamed(permissions) {
            (descriptor, isUnnamed) = (unnamed, true)
        } else {
            Self.all.withLock { [number, temporary] in $0[number] = temporary }
            do throws(Errno) {
                descriptor = try temporary.open(O_WRONLY | O_CREAT | O_EXCL, permissions)
            } catch {
                Self.all.withLock { [number] in _ = $0.removeValue(forKey: number) }
                throw .cannotCreate(path, error)
            }
            isUnnamed = false
        }
        // The mask for new files must not take bits from an old one's permissions.
        do throws(Errno) {
            lostAttributes = try former?.apply(to: descriptor) ?? []
        } catch {
            throw .cannotWrite(path, error)
        }
    }

    deinit {
        if !isClosed.load(ordering: .acquiring) { try? descriptor.close() }
        // After it was installed the name is no longer in use.
        let isLeft = Self.all.withLock { $0.removeValue(forKey: number) != nil }
        if isLeft { temporary.remove() }
    }

    /// Flushes what was written, and gives it the target's name. Called once.
    ///
    /// - Parameters:
    ///   - flushing: whether what was written is to survive a power cut; it survives the process anyway.
    ///   - willAppear: called when all is written and the name seems to be free.
    /// - Throws: `alreadyExists` where another program made the file meanwhile, `cannotCreate`, `cannotWrite`; then
    ///   nothing is left.
    package func install(flushing: Bool = true, willAppear: () -> Void = {}) throws(FileError) {
        do throws(Errno) {
            if flushing, fdatasync(descriptor.rawValue) != 0 { throw Errno.current }
            // What could not be written may be told as late as this; a file without a name needs it open.
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

    /// Removes what an interruption would leave behind.
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
        // Only a file with a name can replace another.
        Self.all.withLock { $0[number] = temporary }
        try temporary.take(descriptor)
        try temporary.rename(to: target)
    }

    private func takeName() throws(Errno) {
        if isReplacing { return try temporary.rename(to: target) }
        // A hard link fails where another program made the file meanwhile; not every file system has them.
        do throws(Errno) {
            try temporary.link(to: target)
            temporary.remove()
        } catch {
            if error == .fileExists { throw error }
            try temporary.rename(to: target)
        }
    }

    /// Whether a name may be that of a file at work.
    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.contains(".texel-") }

    /// Hidden, unlike any other at work.
    private static func temporaryName(for path: FilePath, _ number: Int) -> FilePath.Component {
        // A name may have 255 bytes; the original's beginning is enough to recognise it. A character may have any number.
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
