import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Locks against other processes, and against other openings of this one. The system takes a lock away when its process
// ends, however that happens. Nobody ever waits for one: its owner may be stopped.

extension FileDescriptor {
    /// Whether the file's lock was free, and is this opening's now.
    func takeLock() -> Bool { flock(rawValue, LOCK_EX | LOCK_NB) == 0 }

    /// Not left to closing: a child that is being started may have the file open as well.
    func releaseLock() { flock(rawValue, LOCK_UN) }
}
