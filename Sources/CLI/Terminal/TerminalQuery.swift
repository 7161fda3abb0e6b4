import PlatformLibc
import SystemPackage
import Texel
import TexelCore

/// Queries a terminal's capabilities.
struct TerminalQuery {
    /// How long to wait for answers, for example over a slow connection.
    private static let patience = Duration.seconds(1)

    private let descriptor: FileDescriptor
    private let stop: StopToken

    /// - Parameter descriptor: a terminal.
    /// - Returns: `nil` if it is not a terminal, or if this process is in the background.
    init?(_ descriptor: FileDescriptor, stop: StopToken) {
        let foreground = tcgetpgrp(descriptor.rawValue)
        // A background process that changes the terminal's settings would be stopped.
        if foreground >= 0, foreground != getpgrp() { return nil }
        // Open the terminal again, because standard output may be write-only.
        guard let name = ttyname(descriptor.rawValue),
            let terminal = try? FileDescriptor.open(
                FilePath(String(cString: name)), .readWrite,
                options: [.closeOnExec, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
        else { return nil }
        self.descriptor = terminal
        self.stop = stop
    }

    /// Sends the queries, and blocks until the terminal has answered, the time is over, or the work is stopped. The
    /// terminal's settings are restored.
    ///
    /// - Parameter asksKitty: `false` if a multiplexer would interpret the query as a title.
    func ask(asksKitty: Bool) -> TerminalAnswers {
        defer { try? descriptor.close() }
        var before = termios()
        guard tcgetattr(descriptor.rawValue, &before) == 0 else { return TerminalAnswers([]) }
        var raw = before
        // Without echo and line buffering. Ctrl-C still works; Ctrl-Z is ignored until the settings are restored.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        let formerHandler = signal(SIGTSTP, SIG_IGN)
        tcsetattr(descriptor.rawValue, TCSANOW, &raw)
        let answers = exchange(asksKitty: asksKitty)
        // After a timeout, discard late answers, which would otherwise appear as typed input.
        tcsetattr(descriptor.rawValue, answers.isComplete ? TCSADRAIN : TCSAFLUSH, &before)
        signal(SIGTSTP, formerHandler)
        return answers
    }

    private func exchange(asksKitty: Bool) -> TerminalAnswers {
        let kitty = "\u{1B}_Gi=\(TerminalAnswers.queryImageID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
        let questions = (asksKitty ? kitty : "") + "\u{1B}[16t" + "\u{1B}[c"
        guard (try? descriptor.writeAll(questions.utf8)) != nil else { return TerminalAnswers([]) }
        let end = ContinuousClock.now + Self.patience
        var bytes: [UInt8] = []
        while true {
            let answers = TerminalAnswers(bytes)
            guard !answers.isComplete, ContinuousClock.now < end, bytes.count < 4096 else { return answers }
            let state = try? stop.wait(for: descriptor, POLLIN, until: end)
            guard let state, !state.isStopped else { return answers }
            guard state.isReady else { continue }
            var piece = [UInt8](repeating: 0, count: 256)
            let count = (try? piece.withUnsafeMutableBytes { try descriptor.read(into: $0) }) ?? 0
            guard count > 0 else { return answers }
            bytes += piece[..<count]
        }
    }
}
