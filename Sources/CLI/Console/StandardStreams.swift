import PlatformLibc

/// Standard input, output and error output.
enum StandardStreams {
    /// Opens the standard streams that the parent process has closed. Otherwise the next opened file would get such a
    /// descriptor, and output would be written into it.
    static func occupy() {
        for descriptor in 0...2 where fcntl(CInt(descriptor), F_GETFD) == -1 {
            // Opened in the wrong direction, so that using it is still an error. `open` returns the lowest free
            // number, which is this one.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
