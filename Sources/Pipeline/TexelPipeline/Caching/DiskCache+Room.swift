import PlatformLibc
import SystemPackage
import TexelCore
import TexelOperations

// The accounting of bytes, and the removal of old entries.

extension DiskCache {
    /// Above this, one process removes entries, so that stores need not wait for room.
    private var highWater: Int { sizeLimit - sizeLimit / 20 }
    /// The target of that removal.
    private var lowWater: Int { sizeLimit - sizeLimit / 10 }
    /// The files are counted again after this many seconds, because other programs may have removed some.
    private static let countInterval = 3600

    /// The file of an entry.
    struct Found {
        var name: String
        var size: Int
        var usedAt: Duration
    }

    /// Reserves `byteCount` bytes of the limit.
    ///
    /// - Returns: the record including them; `nil` if there is no room.
    /// - Throws: `cannotWrite`.
    func takeRoom(_ byteCount: Int) throws(TexelError) -> CacheUsage.Record? {
        if let record = try takeFreeRoom(byteCount) { return record }
        guard makeRoom(for: byteCount) else { return nil }
        return try takeFreeRoom(byteCount)
    }

    private func takeFreeRoom(_ byteCount: Int) throws(TexelError) -> CacheUsage.Record? {
        do {
            return try updateUsage(byteCount)
        } catch .noSuchFileOrDirectory {
            // The folder has not been created yet, or was deleted.
            do {
                try directory.makeDirectories(permissions: .ownerReadWriteExecute)
            } catch {
                throw .cannotWriteCache(directory, error.errno ?? .ioError)
            }
        } catch {
            throw .cannotWriteCache(directory, error)
        }
        do {
            return try updateUsage(byteCount)
        } catch {
            throw .cannotWriteCache(directory, error)
        }
    }

    private func updateUsage(_ byteCount: Int) throws(Errno) -> CacheUsage.Record? {
        let sizeLimit = sizeLimit
        let taken = try usage.update { (record) -> CacheUsage.Record? in
            // Not counted yet; that is done after this store.
            let used = record?.byteCount ?? 0
            guard byteCount <= sizeLimit - used else { return nil }
            record = CacheUsage.Record(byteCount: used + byteCount, countedAt: record?.countedAt ?? 0)
            return record
        }
        return taken ?? nil
    }

    /// Releases reserved bytes. If that fails, the next count corrects the number.
    func release(_ byteCount: Int) {
        _ = try? usage.update { record in
            if let used = record?.byteCount { record?.byteCount = max(0, used - byteCount) }
        }
    }

    /// Counts, evicts or sweeps after a store, if due.
    ///
    /// - Parameters:
    ///   - record: the record of the store's reservation.
    ///   - isFirst: whether this is the first store of this object.
    func tidy(after record: CacheUsage.Record, isFirst: Bool) {
        let age = Int(time(nil)) - record.countedAt
        // A count time in the future is invalid.
        let isDue = isFirst && !(0..<Self.countInterval).contains(age) || record.countedAt == 0
        if isDue || record.byteCount > highWater { makeRoom(for: 0) } else if isFirst { sweep() }
    }

    /// Counts all entries, and removes the least recently used ones if they take too much. Does nothing if another
    /// process is doing so.
    ///
    /// - Returns: whether it was done.
    @discardableResult
    private func makeRoom(for byteCount: Int) -> Bool {
        guard
            let descriptor = try? FileDescriptor.open(
                directory.appending("lock"), .readWrite, options: [.create, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
        else { return false }
        defer { try? descriptor.close() }
        guard descriptor.takeLock() else { return false }
        defer { descriptor.releaseLock() }

        sweep()
        let before = usage.read()?.byteCount ?? 0
        var entries = entries()
        var total = entries.reduce(0) { $0 + Self.charge($1.size) }
        var evictions = 0
        if total > highWater - byteCount {
            entries.sort { $0.usedAt < $1.usedAt }
            for entry in entries where total > lowWater - byteCount {
                guard unlink(file(named: entry.name)) == 0 else { continue }
                total -= Self.charge(entry.size)
                evictions += 1
            }
        }
        state.withLock { [evictions] in $0.statistics.evictions += evictions }
        let now = Int(time(nil))
        _ = try? usage.update { [total] record in
            // Bytes that were reserved meanwhile may not be in the files counted, so they are added.
            let taken = max(0, (record?.byteCount ?? 0) - before)
            record = CacheUsage.Record(byteCount: total + taken, countedAt: now)
        }
        return true
    }

    /// Lists all entries in no particular order, without folders and files that the cache did not create.
    func entries() -> [Found] {
        var found: [Found] = []
        let digits = "0123456789abcdef"
        for folder in digits.flatMap({ first in digits.map { "\(first)\($0)" } }) {
            let path = "\(directory.string)/\(folder)"
            // A small cache has few of these folders. Links are not followed.
            guard FileStatus(path, followsLinks: false)?.isDirectory ?? false,
                let names = try? DirectoryEntry.names(in: FilePath(path))
            else { continue }
            for name in names where name.hasPrefix(folder) && ContentDigest(hexadecimal: name) != nil {
                guard let status = FileStatus(file(named: name), followsLinks: false), status.isRegular else {
                    continue
                }
                found.append(Found(name: name, size: status.byteCount, usedAt: status.modificationTime))
            }
        }
        return found
    }

    /// Removes unfinished files of processes that have ended.
    func sweep() { Leftovers.remove(in: unfinished) }
}
