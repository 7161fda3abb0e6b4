import PlatformLibc
import Synchronization
import SystemPackage

/// Writes whole lines to standard output and standard error, each in one call, so that lines are not interleaved.
enum Console {
    enum Stream: Int32 {
        case output = 1
        case error = 2
    }

    static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    /// Whether both streams are the same terminal.
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
        // After an error nothing more is written, so that the output has no gap.
        guard outputError == nil else { return }
        do {
            _ = try FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch {
            noteOutputError(error as? Errno ?? .ioError)
        }
    }

    private static let outputErrorState = Mutex<Errno?>(nil)

    /// The first error of writing to standard output. Files are still processed, and the program ends with
    /// ``ExitStatus/inputOutputError``.
    static var outputError: Errno? { outputErrorState.withLock { $0 } }

    static func noteOutputError(_ error: Errno) { outputErrorState.withLock { $0 = $0 ?? error } }

    /// Prints an error or warning as one line on standard error.
    static func complain(_ sentence: String) { write("texel: \(printable(sentence))\n", to: .error) }

    /// Escapes control characters, line breaks and direction marks, so that a terminal shows the text as one line.
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

    /// Whether the terminal can move its cursor.
    static var canMoveCursor: Bool { variable("TERM").map { $0 != "dumb" } ?? false }

    /// Whether output may be coloured (https://no-color.org).
    static var wantsColor: Bool { (variable("NO_COLOR") ?? "").isEmpty && canMoveCursor }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The width of the terminal in characters; 80 if it is unknown.
    static var width: Int {
        var size = winsize()
        guard ioctl(Stream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
