import DequeModule
import HeapModule
import SystemPackage
import TexelPipeline

/// Decides when a changing file is complete, and that the latest state of each file is processed, one state at a
/// time.
///
/// It uses neither a clock nor the file system: the caller passes the times of events and the results of checks. A
/// file is checked when no event has occurred for the debounce interval. Memory grows with the number of files, not
/// of events.
struct ChangeDebouncer<Version: Equatable> {
    /// The state of a file after an event.
    enum Sign {
        /// The file was written to and has not been closed.
        case isBeingWritten
        /// The file was closed after writing, or was renamed to this name.
        case isComplete
        /// The file exists or was removed; nothing more is known, such as whether it has writers.
        case isUnknown
    }

    /// The result of a check.
    enum Verdict: Equatable {
        /// The file will be checked again, or dropped until its next event.
        case waits
        case isGone
        /// The caller must accept or drop the file.
        case isComplete
    }

    private struct Entry {
        /// The time of the last event.
        var changeTime: Duration
        var lookTime: Duration
        var sign: Sign
        /// The version that the last check found.
        var seen: Version?
        /// The time of its element in ``looks``, never later than ``lookTime``.
        var listedTime: Duration?
        /// The version to process.
        var accepted: Version?
    }

    private struct Look: Comparable {
        var time: Duration
        var path: FilePath

        static func < (first: Look, second: Look) -> Bool { first.time < second.time }
        static func == (first: Look, second: Look) -> Bool { first.time == second.time }
    }

    private let debounce: Duration
    private let patience: Duration
    private var entries: [FilePath: Entry] = [:]
    /// Elements are stale unless their entry has the same `listedTime`.
    private var looks = Heap<Look>()
    /// The accepted paths, each once; a later event may have withdrawn the acceptance.
    private var queue = Deque<FilePath>()
    private var queued: Set<FilePath> = []
    /// The paths being processed, and whether they have changed since.
    private var running: [FilePath: Bool] = [:]

    /// - Parameters:
    ///   - debounce: how long a file must have had no event before it is checked.
    ///   - patience: how long a file that has, or may have, a writer must have had no event.
    init(debounce: Duration, patience: Duration = .seconds(10)) {
        self.debounce = debounce
        self.patience = max(patience, debounce)
    }

    var runningCount: Int { running.count }

    /// Whether no file is waiting or being processed.
    var isIdle: Bool { entries.isEmpty && running.isEmpty }

    /// Records an event of a file.
    ///
    /// - Returns: whether the file is being processed; its result will be outdated.
    mutating func note(_ path: FilePath, _ sign: Sign, at now: Duration) -> Bool {
        var entry = entries[path] ?? Entry(changeTime: now, lookTime: now, sign: sign)
        entry.changeTime = now
        entry.lookTime = now + debounce
        entry.sign = sign
        entry.seen = nil
        entry.accepted = nil
        list(&entry, path)
        entries[path] = entry
        guard running[path] != nil else { return false }
        running[path] = true
        return true
    }

    /// Makes a file due at once that has not changed for a long time. Has no effect on a file that is known already.
    mutating func noteAtRest(_ path: FilePath, at now: Duration) {
        guard entries[path] == nil, running[path] == nil else { return }
        var entry = Entry(changeTime: now, lookTime: now, sign: .isComplete)
        list(&entry, path)
        entries[path] = entry
    }

    /// The time of the next check; `nil` if there is none. It may be too early.
    var nextLookTime: Duration? { looks.min?.time }

    /// Removes a file that is due for a check. Returns `nil` if none is due.
    mutating func nextDue(at now: Duration) -> FilePath? {
        while let look = looks.min, look.time <= now {
            looks.removeMin()
            guard var entry = entries[look.path], entry.listedTime == look.time else { continue }
            entry.listedTime = nil
            // A file being processed is listed again when that has ended.
            if entry.accepted == nil, running[look.path] == nil {
                if entry.lookTime <= now {
                    entries[look.path] = entry
                    return look.path
                }
                list(&entry, look.path)
            }
            entries[look.path] = entry
        }
        return nil
    }

    /// Records the result of a check.
    ///
    /// - Parameters:
    ///   - version: the file's current version; `nil` if it does not exist.
    ///   - isOpen: whether the file is open for writing; `nil` if that is unknown.
    mutating func saw(_ path: FilePath, _ version: Version?, isOpen: Bool?, at now: Duration) -> Verdict {
        guard var entry = entries[path] else { return .waits }
        guard let version else {
            entries[path] = nil
            return .isGone
        }
        // A file that was closed may have other writers. One that was found has no event if it had a writer already.
        if isOpen == true || entry.sign == .isUnknown && isOpen == nil { entry.sign = .isBeingWritten }
        if entry.sign == .isComplete { return .isComplete }
        if entry.sign == .isBeingWritten, now < entry.changeTime + patience {
            entry.lookTime = entry.changeTime + patience
        } else if entry.seen == version {
            return .isComplete
        } else {
            entry.seen = version
            entry.lookTime = now + debounce
        }
        list(&entry, path)
        entries[path] = entry
        return .waits
    }

    /// Queues a complete file for processing.
    mutating func accept(_ path: FilePath, _ version: Version) {
        guard entries[path] != nil else { return }
        entries[path]?.accepted = version
        if queued.insert(path).inserted { queue.append(path) }
    }

    /// Forgets a complete file that needs no processing.
    mutating func drop(_ path: FilePath) { entries[path] = nil }

    /// Removes the next file to process, with the version that was accepted. Returns `nil` if there is none.
    mutating func start() -> (path: FilePath, version: Version)? {
        while let path = queue.popFirst() {
            queued.remove(path)
            guard let version = entries[path]?.accepted else { continue }
            entries[path] = nil
            running[path] = false
            return (path, version)
        }
        return nil
    }

    /// Ends the processing of a file.
    ///
    /// - Returns: whether the file changed meanwhile.
    mutating func finish(_ path: FilePath) -> Bool {
        guard let isOutdated = running.removeValue(forKey: path) else { return false }
        if var entry = entries[path] {
            list(&entry, path)
            entries[path] = entry
        }
        return isOutdated
    }

    private mutating func list(_ entry: inout Entry, _ path: FilePath) {
        // An earlier element stays; when it is due, the file is listed again.
        if let time = entry.listedTime, time <= entry.lookTime { return }
        entry.listedTime = entry.lookTime
        looks.insert(Look(time: entry.lookTime, path: path))
    }
}
