import PlatformLibc
import Synchronization
public import SystemPackage
import TexelCodecs
public import TexelCore

/// Stores results in a folder, within a limit of bytes, shared by all processes that use the same folder.
///
/// - An entry is complete or absent, even after a process was killed. Nothing is flushed to the disk, which would
///   cost more than most results; instead, every read is checked against a hash, so that an entry torn by a power
///   failure is a miss.
/// - A store reserves its bytes before it writes, in a number that all processes share, so the limit holds for any
///   number of processes. Near the limit, one process at a time removes the least recently used entries (with times
///   of use exact to a minute); the others continue, and a store that finds no room meanwhile is skipped. After a
///   count, the number is too low by at most the bytes that were being written at that moment.
/// - Files that the cache did not create are left alone. It creates files for their owner only.
/// - The folder may be deleted at any time: its entries are then misses, and the next store creates it again.
///
/// All calls block on the file system: make them on a worker, not on Swift's cooperative pool.
public final class DiskCache: Sendable {
    /// The folder of the cache.
    public let directory: FilePath
    /// The maximum of all entries together in bytes. Each counts as the size of its file, rounded up to blocks of 4
    /// KiB.
    public let sizeLimit: Int

    /// The folder in which files are written before they become entries.
    let unfinished: FilePath
    let usage: CacheUsage
    let state = Mutex(State())

    struct State: Sendable {
        var statistics = DiskCacheStatistics()
        var hasStored = false
    }

    /// An entry's time of use is updated if it is older than this.
    static let touchInterval = Duration.seconds(60)
    /// The divisor for the largest entry: a quarter of the limit, because a larger one would evict too many others.
    static let largestShare = 4
    static let blockSize = 4096
    /// How many times a store is attempted. Each process sweeps once, so when many start together, a store may lose
    /// its file several times.
    private static let writeAttemptLimit = 100

    /// Makes a cache. Nothing is created on disk before the first store.
    ///
    /// - Parameters:
    ///   - directory: the folder of the cache; created by the first store.
    ///   - sizeLimit: the maximum of all entries together in bytes.
    public init(directory: FilePath, sizeLimit: Int) {
        self.directory = directory
        self.sizeLimit = max(0, sizeLimit)
        unfinished = directory.appending("unfinished")
        usage = CacheUsage(directory.appending("usage"))
    }

    /// The file of an entry by its name, the key's digest; it is in a folder named by the first two digits.
    func file(named name: String) -> String { "\(directory.string)/\(name.prefix(2))/\(name)" }

    private func file(of key: CacheKey) -> FilePath { FilePath(file(named: key.digest.hexadecimal)) }

    /// The bytes of the limit that a file of `size` bytes takes.
    static func charge(_ size: Int) -> Int {
        let (sum, overflow) = size.addingReportingOverflow(blockSize - 1)
        return overflow ? .max : sum / blockSize * blockSize
    }

    // MARK: Reading

    /// Looks up an entry and checks its hash. Any error is a miss; damaged entries are removed.
    public func entry(for key: CacheKey) -> CacheEntry? {
        let entry = find(key)
        state.withLock {
            if entry != nil { $0.statistics.hits += 1 } else { $0.statistics.misses += 1 }
        }
        return entry
    }

    private func find(_ key: CacheKey) -> CacheEntry? {
        let file = file(of: key)
        // Non-blocking, in case another program has put a pipe there.
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

    /// Updates an entry's time of use. If that fails, only the order of removal is affected.
    private func touch(_ descriptor: FileDescriptor, _ status: FileStatus) {
        let age = Duration.seconds(time(nil)) - status.modificationTime
        // A time in the future would keep an entry forever. The clock is read in whole seconds, so a file written in
        // this second may seem to be from the future.
        if !(.seconds(-1)..<Self.touchInterval).contains(age) { futimens(descriptor.rawValue, nil) }
    }

    // MARK: Storing

    /// Stores an entry, and replaces the one with the same key.
    ///
    /// - Parameters:
    ///   - metadata: a description of the content.
    ///   - content: the content itself.
    ///   - key: the entry's key.
    /// - Returns: whether it was stored. It is not if it is larger than a quarter of the limit, or if there is no
    ///   room while another process is making some.
    /// - Throws: `cannotWrite`; nothing of the entry remains then.
    @discardableResult
    public func store(
        metadata: [UInt8], content: some Collection<UInt8>, for key: CacheKey
    ) throws(TexelError) -> Bool {
        let beginning = CacheEntryFile.beginning(key, metadata: metadata, content: content)
        let charge = Self.charge(beginning.count + content.count)
        guard charge <= sizeLimit / Self.largestShare, let record = try takeRoom(charge) else {
            // The existing entry is outdated.
            remove(for: key)
            state.withLock { $0.statistics.refusals += 1 }
            return false
        }
        do {
            let replaced = try write(beginning, content, for: key)
            if replaced > 0 { release(replaced) }
        } catch {
            release(charge)
            throw .cannotWriteCache(directory, error.errno ?? .ioError)
        }
        let isFirst = state.withLock { state in
            state.statistics.stores += 1
            defer { state.hasStored = true }
            return !state.hasStored
        }
        tidy(after: record, isFirst: isFirst)
        return true
    }

    /// - Returns: the bytes of the limit that the replaced entry took.
    private func write(
        _ beginning: [UInt8], _ content: some Collection<UInt8>, for key: CacheKey
    ) throws(TexelError) -> Int {
        let target = file(of: key)
        var attempts = Self.writeAttemptLimit
        while true {
            do {
                return try writeOnce(beginning, content, to: target)
            } catch {
                // The folder is missing, or another process has swept the file before it was locked.
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
    ) throws(TexelError) -> Int {
        let file = try UnfinishedFile(target, madeIn: unfinished)
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

    /// Removes an entry, if there is one.
    public func remove(for key: CacheKey) {
        let file = file(of: key)
        guard let status = FileStatus(file, followsLinks: false), status.isRegular, unlink(file.string) == 0 else {
            return
        }
        release(Self.charge(status.byteCount))
    }

    /// Removes all entries, but no other files.
    ///
    /// - Throws: `cannotWrite` with the first error; all entries that could be removed are removed.
    public func removeAll() throws(TexelError) {
        var failure: Errno?
        for entry in entries() {
            if unlink(file(named: entry.name)) == 0 {
                release(Self.charge(entry.size))
            } else if Errno.current != .noSuchFileOrDirectory {
                failure = failure ?? .current
            }
        }
        sweep()
        if let failure { throw .cannotWriteCache(directory, failure) }
    }

    // MARK: Statistics

    /// The counts of this object since it was made, and the bytes of all processes together.
    public var statistics: DiskCacheStatistics {
        var statistics = state.withLock { $0.statistics }
        statistics.byteCount = usage.read()?.byteCount ?? 0
        return statistics
    }
}

/// Counts of a ``DiskCache`` since it was made.
public struct DiskCacheStatistics: Sendable, Hashable {
    /// Lookups that found an entry.
    public var hits = 0
    /// Lookups that found none.
    public var misses = 0
    /// Entries that were stored.
    public var stores = 0
    /// Entries that were not stored, because they were too large or there was no room.
    public var refusals = 0
    /// Entries removed to make room.
    public var evictions = 0
    /// Entries that were damaged, and were removed.
    public var damaged = 0
    /// The bytes that all processes together store.
    public var byteCount = 0
}
