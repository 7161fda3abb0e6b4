#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard input, output and error output.
enum StandardStreams {
    /// Fills the places of those that whoever started the program has closed. Otherwise the next file to be opened would
    /// get one's number, and reports would be written into it.
    static func occupy() {
        for descriptor in 0...2 where fcntl(CInt(descriptor), F_GETFD) == -1 {
            // Opened the wrong way round, so that use is an error still. The lowest free number is this one.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
