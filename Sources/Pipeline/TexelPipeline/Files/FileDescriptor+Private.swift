import PlatformLibc
package import SystemPackage

/// Descriptors that are closed in child processes. A child that inherits the writing end of a pipe would keep its
/// reader from seeing the end; one that inherits the reading end would keep its writer from seeing a broken pipe.
extension FileDescriptor {
    /// Creates a pipe with close-on-exec descriptors.
    package static func privatePipe() throws -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        #if os(Linux)
            return try pipe(options: .closeOnExec)
        #else
            // There is no pipe2: the flag cannot be set atomically.
            let ends = try pipe()
            for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
            return ends
        #endif
    }

    /// Duplicates the descriptor with close-on-exec.
    package func privateDuplicate() throws(Errno) -> FileDescriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: copy)
    }
}
