import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Whole lines on standard output and standard error, written at once so that they never mix.
enum Console {
    enum Stream: Int32 {
        case output = 1
        case error = 2
    }

    static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    static func write(_ text: String, to stream: Stream) {
        let descriptor = stream == .output ? FileDescriptor.standardOutput : .standardError
        // A reader that went away is not our failure: the work goes on.
        _ = try? descriptor.writeAll(text.utf8)
    }

    /// The terminal's width in characters.
    static var width: Int {
        var size = winsize()
        guard ioctl(Stream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
