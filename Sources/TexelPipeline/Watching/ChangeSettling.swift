import DequeModule
import HeapModule
import SystemPackage

/// Decides when a file that changes has come to rest, and sees to it that the latest state of each is worked on, one at
/// a time.
///
/// It knows no clock and no file: the moments of what happens are told to it, and what a look at a file finds. A file
/// is looked at when nothing has happened to it for the debounce. It takes memory for files, not for what happens.
struct ChangeSettling<Version: Equatable> {
    /// What is known of a file when something has happened to it.
    enum Sign {
        /// Somebody writes, and has not said that this was all.
        case isBeingWritten
        /// Closed after writing, or given its name when it was complete.
        case isComplete
        /// There is something, or it has gone.
        case isUnknown
    }

    /// What a look comes to.
    enum Verdict: Equatable {
        /// It will be due again, or something will happen to it.
        case waits
        case isGone
        /// To be accepted or dropped.
        case isComplete
    }

    private struct Entry {
        /// When something happened last.
        var changeTime: Duration
        var lookTime: Duration
        var sign: Sign
        /// What the last look found.
        var seen: Version?
        /// Its time in ``looks``, never later than ``lookTime``.
        var listedTime: Duration?
        /// What is to be worked on.
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
    /// What it says holds where the entry has the same listed time.
    private var looks = Heap<Look>()
    /// Those that were accepted, each once; what has happened to them since may have taken them back.
    private var queue = Deque<FilePath>()
    private var queued: Set<FilePath> = []
    /// Paths that are worked on, and whether they have changed since.
    private var running: [FilePath: Bool] = [:]

    /// - Parameters:
    ///   - debounce: how long nothing must have happened to a file.
    ///   - patience: how long a file that was not closed after writing is waited for.
    init(debounce: Duration, patience: Duration = .seconds(10)) {
        self.debounce = debounce
        self.patience = max(patience, debounce)
    }

    var runningCount: Int { running.count }

    /// Whether nothing waits and nothing is worked on.
    var isIdle: Bool { entries.isEmpty && running.isEmpty }

    /// Something has happened to a file.
    ///
    /// - Returns: whether it is being worked on, which is in vain.
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

    /// A file that has been at rest for long is due at once.
    mutating func noteAtRest(_ path: FilePath, at now: Duration) {
        guard entries[path] == nil, running[path] == nil else { return }
        var entry = Entry(changeTime: now, lookTime: now, sign: .isComplete)
        list(&entry, path)
        entries[path] = entry
    }

    /// When the next file is due; `nil` where none is waited for.
    var nextLookTime: Duration? { looks.min?.time }

    /// A file that is to be looked at now.
    mutating func nextDue(at now: Duration) -> FilePath? {
        while let look = looks.min, look.time <= now {
            looks.removeMin()
            guard var entry = entries[look.path], entry.listedTime == look.time else { continue }
            entry.listedTime = nil
            // One that is worked on is listed again when that has ended.
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

    /// What a look at a file that was due has found; `nil` where there is no file.
    ///
    /// - Parameter isEmpty: whether it has no bytes yet.
    mutating func saw(_ path: FilePath, _ version: Version?, isEmpty: Bool, at now: Duration) -> Verdict {
        guard var entry = entries[path] else { return .waits }
        guard let version else {
            entries[path] = nil
            return .isGone
        }
        if isEmpty {
            // Its first bytes will be told of.
            entries[path] = nil
            return .waits
        }
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

    /// A complete file is to be worked on.
    mutating func accept(_ path: FilePath, _ version: Version) {
        guard entries[path] != nil else { return }
        entries[path]?.accepted = version
        if queued.insert(path).inserted { queue.append(path) }
    }

    /// A complete file is nothing to work on.
    mutating func drop(_ path: FilePath) { entries[path] = nil }

    /// The file to work on next, as it was when it was looked at.
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

    /// The work on a file has ended.
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
        // One that comes too early is put off when it comes.
        if let time = entry.listedTime, time <= entry.lookTime { return }
        entry.listedTime = entry.lookTime
        looks.insert(Look(time: entry.lookTime, path: path))
    }
}
