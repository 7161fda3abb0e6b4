import Synchronization
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

    /// Whether both are one terminal, as they are for most who sit at one.
    static let isOneTerminal: Bool = {
        var (output, error) = (stat(), stat())
        guard isTerminal(.output), isTerminal(.error), fstat(Stream.output.rawValue, &output) == 0,
            fstat(Stream.error.rawValue, &error) == 0
        else { return false }
        return output.st_rdev == error.st_rdev
    }()

    static func write(_ text: String, to stream: Stream) {
        guard stream == .output else {
            _ = try? FileDescriptor.standardError.writeAll(text.utf8)
            return
        }
        // After a failure nothing is written, so that what was written ends where the failure was.
        guard outputError == nil else { return }
        do {
            _ = try FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch {
            noteOutputError(error as? Errno ?? .ioError)
        }
    }

    private static let outputErrorState = Mutex<Errno?>(nil)

    /// Why standard output could not be written, if that has failed. Files are processed all the same; the program
    /// ends with ``ExitStatus/inputOutputError``.
    static var outputError: Errno? { outputErrorState.withLock { $0 } }

    static func noteOutputError(_ error: Errno) { outputErrorState.withLock { $0 = $0 ?? error } }

    /// Says on standard error, in one line, what is wrong with what.
    static func complain(_ sentence: String) { write("texel: \(printable(sentence))\n", to: .error) }

    /// Says on standard error how many files in the directories that were searched are not images.
    static func tell(otherFileCount: Int) {
        for count in HumanReport.otherFiles(otherFileCount) { complain("\(count) passed over") }
    }

    /// A name or a sentence as one line that a terminal takes for nothing but text: what would move its cursor, or
    /// worse, is written as an escape.
    static func printable(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\t": "\\t"
            case _ where isControl(scalar): "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(scalar)
            }
        }.joined()
    }

    /// Whether the terminal can draw over what it has drawn.
    static var canMoveCursor: Bool { variable("TERM").map { $0 != "dumb" } ?? false }

    /// Whether people want colours (https://no-color.org).
    static var wantsColor: Bool { (variable("NO_COLOR") ?? "").isEmpty && canMoveCursor }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The terminal's width in characters.
    static var width: Int {
        var size = winsize()
        guard ioctl(Stream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
