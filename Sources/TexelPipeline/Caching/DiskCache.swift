import Synchronization
public import SystemPackage
import TexelCodecs

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Keeps results in a folder, within a limit of bytes, for this process and all others that use the same folder.
///
/// - An entry is there whole or not at all, also after a process was killed. Nothing is flushed to the disk, which would
///   cost more than most results; every read is held against a checksum instead, so that after a power cut a torn entry
///   is a miss.
/// - A store takes its room before it is written, from a number that all processes share, so the limit holds however
///   many there are. Near the limit one process at a time removes what was not used for the longest time (times of use
///   are exact to a minute); the others go on, and a store that finds no room meanwhile is not kept. The
///   number is too low by what was being written at the moment of a count, and by no more than that.
/// - Files that the cache did not make are left alone. It makes its own for their owner only.
/// - The folder may be deleted at any time: what was in it is missed, and the next store makes it anew.
///
/// All calls wait for the file system: they belong on a worker, never on Swift's cooperative pool.
public final class DiskCache: Sendable {
    public let directory: FilePath
    /// The bytes of all entries at most. Each counts as its file, rounded up to blocks of 4 KiB.
    public let sizeLimit: Int

    /// Where files are written before they become entries.
    let unfinished: FilePath
    let usage: CacheUsage
    let state = Mutex(State())

    struct State: Sendable {
        var statistics = DiskCacheStatistics()
        var hasStored = false
    }

    /// How much later an entry must be used again for that to be noted.
    static let touchInterval = Duration.seconds(60)
    /// The part of the limit that one entry may take: a larger one would drive out too many others.
    static let largestShare = 4
    static let blockSize = 4096
    /// How often a store begins anew. Each process sweeps once, so many that start together cost a store some attempts.
    private static let writeAttemptLimit = 100

    /// Nothing is made on the disk before the first store.
    public init(directory: FilePath, sizeLimit: Int) {
        self.directory = directory
        self.sizeLimit = max(0, sizeLimit)
        unfinished = directory.appending("unfinished")
        usage = CacheUsage(directory.appending("usage"))
    }

    /// The file of an entry by its name, a key's digest: in a folder named by the first two digits.
    func file(named name: String) -> String { "\(directory.string)/\(name.prefix(2))/\(name)" }

    private func file(of key: CacheKey) -> FilePath { FilePath(file(named: key.digest.hexadecimal)) }

    /// What a file of `size` bytes takes of the limit.
    static func charge(_ size: Int) -> Int {
        let (sum, overflow) = size.addingReportingOverflow(blockSize - 1)
        return overflow ? .max : sum / blockSize * blockSize
    }

    // MARK: Reading

    /// What is kept under `key`, held against its checksum. Whatever is wrong with it, it is a miss; what is damaged is
    /// removed.
    public func entry(for key: CacheKey) -> CacheEntry? {
        let entry = find(key)
        state.withLock {
            if entry != nil { $0.statistics.hits += 1 } else { $0.statistics.misses += 1 }
        }
        return entry
    }

    private func find(_ key: CacheKey) -> CacheEntry? {
        let file = file(of: key)
        // Without waiting: somebody may have put a pipe there.
        guard
            let descriptor = try? FileDescriptor.open(
                file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return nil }
        defer { try? descriptor.close() }
        guard let status = FileStatus(descriptor), status.isRegular else { return nil }
        switch CacheEntryFile.read(descriptor, size: status.byteCount, key: key) {
        case .entry(let entry):
            touch(descriptor, status)
            return entry
        case .damaged:
            if unlink(file.string) == 0 {
                release(Self.charge(status.byteCount))
                state.withLock { $0.statistics.damaged += 1 }
            }
            return nil
        case .unreadable: return nil
        }
    }

    /// Notes that an entry was used. A refusal costs only its place in the order.
    private func touch(_ descriptor: FileDescriptor, _ status: FileStatus) {
        let age = Duration.seconds(time(nil)) - status.modificationTime
        // A time in the future would keep an entry for ever; one of this second may seem to be one.
        if !(.seconds(-1)..<Self.touchInterval).contains(age) { futimens(descriptor.rawValue, nil) }
    }

    // MARK: Storing

    /// Keeps an entry, in the place of what was kept under the same key.
    ///
    /// - Returns: whether it is kept: not where it is larger than a quarter of the limit, nor where there is no room
    ///   and another process is making some.
    /// - Throws: `cannotWrite`; then nothing is left of it.
    @discardableResult
    public func store(
        metadata: [UInt8], content: some Collection<UInt8>, for key: CacheKey
    ) throws(CacheError) -> Bool {
        let beginning = CacheEntryFile.beginning(key, metadata: metadata, content: content)
        let charge = Self.charge(beginning.count + content.count)
        guard charge <= sizeLimit / Self.largestShare, let record = try takeRoom(charge) else {
            // Whatever is there is no longer what belongs there.
            remove(for: key)
            state.withLock { $0.statistics.refusals += 1 }
            return false
        }
        do {
            let replaced = try write(beginning, content, for: key)
            if replaced > 0 { release(replaced) }
        } catch {
            release(charge)
            throw CacheError(error, directory: directory)
        }
        let isFirst = state.withLock { state in
            state.statistics.stores += 1
            defer { state.hasStored = true }
            return !state.hasStored
        }
        tidy(after: record, isFirst: isFirst)
        return true
    }

    /// - Returns: what the replaced entry took of the limit.
    private func write(
        _ beginning: [UInt8], _ content: some Collection<UInt8>, for key: CacheKey
    ) throws(FileError) -> Int {
        let target = file(of: key)
        var attempts = Self.writeAttemptLimit
        while true {
            do {
                return try writeOnce(beginning, content, to: target)
            } catch {
                // The folder is new or was deleted, or another process swept the file before it was locked.
                attempts -= 1
                guard attempts > 0, error.errno == .noSuchFileOrDirectory || error.errno == .fileExists else {
                    throw error
                }
                try unfinished.makeDirectories(permissions: .ownerReadWriteExecute)
                try target.removingLastComponent().makeDirectories(permissions: .ownerReadWriteExecute)
            }
        }
    }

    private func writeOnce(
        _ beginning: [UInt8], _ content: some Collection<UInt8>, to target: FilePath
    ) throws(FileError) -> Int {
        let file = try UnfinishedFile(target, madeIn: unfinished)
        // Tells sweepers that its process lives.
        guard file.descriptor.takeLock(), FileStatus(file.descriptor)?.nameCount == 1 else {
            throw .cannotCreate(target, .noSuchFileOrDirectory)
        }
        do {
            try file.descriptor.writeAll(beginning)
            try file.descriptor.writeAll(content)
        } catch {
            throw .cannotWrite(target, error as? Errno ?? .ioError)
        }
        let replaced = FileStatus(target, followsLinks: false)
        try file.install(flushing: false)
        return replaced.map { $0.isRegular ? Self.charge($0.byteCount) : 0 } ?? 0
    }

    // MARK: Removing

    public func remove(for key: CacheKey) {
        let file = file(of: key)
        guard let status = FileStatus(file, followsLinks: false), status.isRegular, unlink(file.string) == 0 else {
            return
        }
        release(Self.charge(status.byteCount))
    }

    /// Removes all entries, and nothing else.
    ///
    /// - Throws: `cannotWrite` for the first that cannot be removed; the others are gone.
    public func removeAll() throws(CacheError) {
        var failure: Errno?
        for entry in entries() {
            if unlink(file(named: entry.name)) == 0 {
                release(Self.charge(entry.size))
            } else if Errno.current != .noSuchFileOrDirectory {
                failure = failure ?? .current
            }
        }
        sweep()
        if let failure { throw .cannotWrite(directory: directory, failure) }
    }

    // MARK: Looking

    /// Of this object; only the bytes are those of all processes together.
    public var statistics: DiskCacheStatistics {
        var statistics = state.withLock { $0.statistics }
        statistics.byteCount = usage.read()?.byteCount ?? 0
        return statistics
    }
}

/// How a ``DiskCache`` was used since it was made.
public struct DiskCacheStatistics: Sendable, Hashable {
    public var hits = 0
    public var misses = 0
    public var stores = 0
    /// What was not kept, because it was too large or there was no room.
    public var refusals = 0
    /// Entries that had to make room.
    public var evictions = 0
    /// Entries that were found damaged, and removed.
    public var damaged = 0
    /// What all processes together keep.
    public var byteCount = 0
}
