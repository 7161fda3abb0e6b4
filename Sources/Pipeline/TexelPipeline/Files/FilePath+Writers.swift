import PlatformLibc
package import SystemPackage

extension FilePath {
    /// Whether a process on this machine has the regular file open for writing. `nil` if the system does not tell, as
    /// for other users' files and on network file systems.
    package var isOpenForWriting: Bool? {
        #if os(Linux)
            let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
            guard let descriptor = try? FileDescriptor.open(self, .readOnly, options: options) else { return nil }
            defer { try? descriptor.close() }
            // A lease is refused if there are writers. Swift imports neither F_SETLEASE (1024) nor F_SETSIG (10). A
            // process that opens the file meanwhile waits, and causes a signal: one that is ignored by default.
            guard fcntl(descriptor.rawValue, 10, SIGURG) == 0 else { return nil }
            if fcntl(descriptor.rawValue, 1024, Int32(F_RDLCK)) == 0 {
                _ = fcntl(descriptor.rawValue, 1024, Int32(F_UNLCK))
                return false
            }
            return Errno.current == .resourceTemporarilyUnavailable ? true : nil
        #else
            return nil
        #endif
    }
}
