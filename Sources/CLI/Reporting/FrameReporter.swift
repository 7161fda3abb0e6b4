import Synchronization
import Texel
import TexelFrames

/// Prints the progress of a stream on standard error: a line that is redrawn while it runs, and the totals at its
/// end.
final class FrameReporter: Sendable {
    private let mode: StatisticsMode
    /// If frames are shown in the terminal, the line is drawn below them.
    private let terminal: TerminalSink?
    private let isLive: Bool
    private let state = Mutex(State())

    private struct State {
        var lastTime = ContinuousClock.now
        var lastCount = 0
        var rate = 0.0
        var isVisible = false
    }

    /// The interval between updates.
    private static let interval = Duration.milliseconds(250)

    init(_ mode: StatisticsMode, sink: any FrameSink) {
        terminal = sink as? TerminalSink
        self.mode = mode
        isLive = terminal != nil || mode != .none && mode != .json && Console.isTerminal(.error)
    }

    /// Updates the line if it is due; call often. `statistics` is only called then.
    func tick(_ statistics: () -> FrameStatistics) {
        guard isLive, mode != .none else { return }
        let now = ContinuousClock.now
        let line: String? = state.withLock { state in
            let elapsed = now - state.lastTime
            guard elapsed >= Self.interval else { return nil }
            let statistics = statistics()
            state.rate = Double(statistics.framesOut - state.lastCount) / (elapsed / .seconds(1))
            (state.lastTime, state.lastCount) = (now, statistics.framesOut)
            if terminal == nil { state.isVisible = true }
            return FrameStatusReport.line(statistics, rate: state.rate)
        }
        guard let line else { return }
        let text = String(line.prefix(max(1, Console.width - 1)))
        if let terminal {
            terminal.setCaption(text)
        } else {
            Console.write("\r\(text)\u{1B}[K", to: .error)
        }
    }

    /// - Parameter conversion: how frames were made evenly spaced; `nil` if they were written as they are.
    func finish(
        _ statistics: FrameStatistics, _ conversion: RateConversion?, source: String, output: String,
        error: TexelError?
    ) {
        let wasVisible = state.withLock { state in
            defer { state.isVisible = false }
            return state.isVisible
        }
        if wasVisible { Console.write("\r\u{1B}[K", to: .error) }
        switch mode {
        case .json:
            let report = FrameJSONReport(
                statistics, conversion, source: source, output: output, error: error)
            Console.write(JSONLine.text(of: report) + "\n", to: .error)
        case .text: Console.write(FrameStatusReport.table(statistics) + "\n", to: .error)
        case .auto, .none: break
        }
        // The object has the numbers; a line beside it would be no JSON. A failure is one line.
        if let conversion, mode != .json, error == nil { Console.complain("\(source): warning: \(conversion)") }
    }
}
