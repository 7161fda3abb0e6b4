import Foundation
import PlatformLibc
import TestSupport

/// A terminal controlled by a test: it receives the program's standard output and answers its queries.
struct PseudoTerminal {
    struct Outcome {
        var status: Int32
        /// All text that was sent to the terminal.
        var text: String
        /// Whether echo and line buffering are on again.
        var isRestored: Bool
    }

    /// Linux's TIOCGPTN and TIOCSPTLCK, which Swift does not import.
    private static let (getNumber, setLock): (UInt, UInt) = (0x8004_5430, 0x4004_5431)

    /// Runs `texel` in the terminal.
    ///
    /// - Parameters:
    ///   - answer: the answer to the query of device attributes; `nil` for no answer.
    ///   - signal: sent to the program instead of an answer.
    static func run(
        _ arguments: [String], in workspace: Workspace, columns: UInt16 = 40, rows: UInt16 = 20,
        pixels: (UInt16, UInt16) = (0, 0), answer: String? = nil, signal: Int32? = nil,
        environment: [String: String] = [:]
    ) throws -> Outcome {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        var (number, isLocked) = (Int32(), Int32())
        guard terminal >= 0, ioctl(terminal, getNumber, &number) == 0, ioctl(terminal, setLock, &isLocked) == 0 else {
            throw RunningProgram.Failure.system("/dev/ptmx", errno)
        }
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: pixels.0, ws_ypixel: pixels.1)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        let end = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)

        var variables = ProcessInfo.processInfo.environment.merging(["TERM": "xterm-256color"]) { $1 }
        for name in ["TMUX", "STY", "COLORTERM"] { variables[name] = nil }
        let process = try RunningProgram(
            RunningProgram.texel, arguments, in: workspace.directory.path, outputDescriptor: end,
            environment: variables.merging(environment) { $1 })
        close(end)

        var (said, hasAnswered) = ([UInt8](), false)
        var buffer = [UInt8](repeating: 0, count: 4096)
        // A read error means that the other end was closed.
        while case let count = read(terminal, &buffer, buffer.count), count > 0 {
            said += buffer[..<count]
            guard !hasAnswered, String(decoding: said, as: UTF8.self).contains("\u{1B}[c") else { continue }
            hasAnswered = true
            if let signal { process.send(signal) }
            if let answer { _ = write(terminal, answer, answer.utf8.count) }
        }
        let status = try process.wait().status
        var state = termios()
        tcgetattr(terminal, &state)
        let flags = tcflag_t(ECHO | ICANON)
        return Outcome(
            status: status, text: String(decoding: said, as: UTF8.self),
            isRestored: state.c_lflag & flags == flags)
    }
}
