import PlatformLibc
package import SystemPackage

// Locks against other processes, and against other open descriptions in this one. The system releases a lock when its
// process ends in any way. No call waits for a lock, because its owner may have been stopped.

extension FileDescriptor {
    /// Takes the file's lock. Returns `false` if it is held elsewhere or the call fails.
    package func takeLock() -> Bool { flock(rawValue, LOCK_EX | LOCK_NB) == 0 }

    /// Releases the lock. Closing would not suffice, because a child that is being started may have a copy of the
    /// descriptor.
    package func releaseLock() { flock(rawValue, LOCK_UN) }
}
