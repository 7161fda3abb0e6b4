import SystemPackage
import Texel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Asks a terminal what it can.
struct TerminalQuery {
    /// The number of the picture that is never drawn, by which its answer is known.
    static let pictureNumber = 31

    /// How long a terminal may take for its answers, at the end of a slow line.
    private static let patience = Duration.seconds(1)

    private let descriptor: FileDescriptor
    private let stop: StopSignal

    /// - Parameter descriptor: a terminal.
    /// - Returns: `nil` where it cannot be asked: it is no terminal, or another program's now.
    init?(_ descriptor: FileDescriptor, stop: StopSignal) {
        let foreground = tcgetpgrp(descriptor.rawValue)
        // Whoever is in the background and changes the terminal is stopped.
        if foreground >= 0, foreground != getpgrp() { return nil }
        // Standard output may be open for writing only.
        guard let name = ttyname(descriptor.rawValue),
            let terminal = try? FileDescriptor.open(
                FilePath(String(cString: name)), .readWrite,
                options: [.closeOnExec, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
        else { return nil }
        self.descriptor = terminal
        self.stop = stop
    }

    /// Blocks until the terminal has answered, has had its time, or the work was stopped; then it is as it was before.
    ///
    /// - Parameter asksKitty: not where a multiplexer would take the question for a title.
    func ask(asksKitty: Bool) -> TerminalAnswers {
        defer { try? descriptor.close() }
        var before = termios()
        guard tcgetattr(descriptor.rawValue, &before) == 0 else { return TerminalAnswers([]) }
        var raw = before
        // Answers are not shown, and come without a line's end. Ctrl-C still is one; Ctrl-Z waits.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        let formerHandler = signal(SIGTSTP, SIG_IGN)
        tcsetattr(descriptor.rawValue, TCSANOW, &raw)
        let answers = exchange(asksKitty: asksKitty)
        // What comes too late must not look typed.
        tcsetattr(descriptor.rawValue, answers.isComplete ? TCSADRAIN : TCSAFLUSH, &before)
        signal(SIGTSTP, formerHandler)
        return answers
    }

    private func exchange(asksKitty: Bool) -> TerminalAnswers {
        let kitty = "\u{1B}_Gi=\(Self.pictureNumber),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
        let questions = (asksKitty ? kitty : "") + "\u{1B}[16t" + "\u{1B}[c"
        guard (try? descriptor.writeAll(questions.utf8)) != nil else { return TerminalAnswers([]) }
        let end = ContinuousClock.now + Self.patience
        var bytes: [UInt8] = []
        while true {
            let answers = TerminalAnswers(bytes)
            let left = end - ContinuousClock.now
            guard !answers.isComplete, left > .zero, bytes.count < 4096 else { return answers }
            let state = stop.wait(
                for: descriptor, POLLIN, milliseconds: Int32((left / .milliseconds(1)).rounded(.up)))
            if state.isStopped { return answers }
            guard state.isReady else { continue }
            var piece = [UInt8](repeating: 0, count: 256)
            let count = (try? piece.withUnsafeMutableBytes { try descriptor.read(into: $0) }) ?? 0
            guard count > 0 else { return answers }
            bytes += piece[..<count]
        }
    }
}
