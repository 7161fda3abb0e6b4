package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Descriptors that no program gets hold of that another thread starts at the same time: a pipe whose writing end
/// somebody else holds open does not end, and one whose reading end is held breaks for nobody.
extension FileDescriptor {
    package static func privatePipe() throws -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        #if os(Linux)
            return try pipe(options: .closeOnExec)
        #else
            // There is no way to do both at once.
            let ends = try pipe()
            for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
            return ends
        #endif
    }

    /// Another descriptor of the same open file.
    func privateDuplicate() throws(Errno) -> FileDescriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: copy)
    }
}
