import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Who may store how much, and who has to go.

extension DiskCache {
    /// Above this somebody makes room, so that the others need not wait for it.
    private var highWater: Int { sizeLimit - sizeLimit / 20 }
    /// What is left then at most.
    private var lowWater: Int { sizeLimit - sizeLimit / 10 }
    /// After so many seconds the files are counted again, whatever is known: somebody else may have removed some.
    private static let countInterval = 3600

    /// A file that is an entry, by its name and place.
    struct Found {
        var name: String
        var size: Int
        var usedAt: Duration
    }

    /// Takes `byteCount` bytes of the limit.
    ///
    /// - Returns: what is taken then by all; `nil` where there is no room.
    func takeRoom(_ byteCount: Int) throws(CacheError) -> CacheUsage.Record? {
        if let record = try takeFreeRoom(byteCount) { return record }
        guard makeRoom(for: byteCount) else { return nil }
        return try takeFreeRoom(byteCount)
    }

    private func takeFreeRoom(_ byteCount: Int) throws(CacheError) -> CacheUsage.Record? {
        do {
            return try updateUsage(byteCount)
        } catch .noSuchFileOrDirectory {
            // The folder is new, or somebody deleted it.
            do {
                try directory.makeDirectories(permissions: .ownerReadWriteExecute)
            } catch {
                throw CacheError(error, directory: directory)
            }
        } catch {
            throw .cannotWrite(directory: directory, error)
        }
        do {
            return try updateUsage(byteCount)
        } catch {
            throw .cannotWrite(directory: directory, error)
        }
    }

    private func updateUsage(_ byteCount: Int) throws(Errno) -> CacheUsage.Record? {
        let sizeLimit = sizeLimit
        let taken = try usage.update { (record) -> CacheUsage.Record? in
            // Not counted yet: that is done after this store.
            let used = record?.byteCount ?? 0
            guard byteCount <= sizeLimit - used else { return nil }
            record = CacheUsage.Record(byteCount: used + byteCount, countedAt: record?.countedAt ?? 0)
            return record
        }
        return taken ?? nil
    }

    /// Gives room back. Without success the next count does it.
    func release(_ byteCount: Int) {
        _ = try? usage.update { record in
            if let used = record?.byteCount { record?.byteCount = max(0, used - byteCount) }
        }
    }

    /// What is due after a store.
    ///
    /// - Parameter record: what was taken with it.
    func tidy(after record: CacheUsage.Record, isFirst: Bool) {
        let age = Int(time(nil)) - record.countedAt
        // A count from the future is none.
        let isDue = isFirst && !(0..<Self.countInterval).contains(age) || record.countedAt == 0
        if isDue || record.byteCount > highWater { makeRoom(for: 0) } else if isFirst { sweep() }
    }

    /// Counts all entries, and removes the longest unused where they take too much, unless another does so just now.
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
            // What others have taken meanwhile may or may not be among the files that were found.
            let taken = max(0, (record?.byteCount ?? 0) - before)
            record = CacheUsage.Record(byteCount: total + taken, countedAt: now)
        }
        return true
    }

    /// All entries, in no order. Folders and files that the cache did not make are not among them.
    func entries() -> [Found] {
        var found: [Found] = []
        let digits = "0123456789abcdef"
        for folder in digits.flatMap({ first in digits.map { "\(first)\($0)" } }) {
            let path = "\(directory.string)/\(folder)"
            // Most are missing in a small cache; a link leads elsewhere.
            guard FileStatus(path, followsLinks: false)?.isDirectory ?? false,
                let names = try? InputExpansion.names(in: FilePath(path))
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

    /// Removes what dead processes have left unfinished.
    func sweep() {
        for name in (try? InputExpansion.names(in: unfinished)) ?? [] where UnfinishedFile.isTemporary(name) {
            let file = unfinished.appending(name)
            guard
                let descriptor = try? FileDescriptor.open(
                    file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
            else { continue }
            defer { try? descriptor.close() }
            // Whoever writes it holds its lock.
            guard FileStatus(descriptor)?.isRegular ?? false, descriptor.takeLock() else { continue }
            defer { descriptor.releaseLock() }
            unlink(file.string)
        }
    }
}
