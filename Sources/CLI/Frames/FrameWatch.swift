import Dispatch
import PlatformLibc
import Synchronization
import Texel
import TexelCore
import TexelFrames

/// Watches a stream from the moment its source is opened: reports its progress, and ends it on an interruption or
/// timeout.
final class FrameWatch {
    private let stop: StopToken
    private let timer: any DispatchSourceTimer
    private let watched = Watched()

    /// The state that the timer checks.
    private final class Watched: Sendable {
        struct State {
            var run: FrameRun?
            var reporter: FrameReporter?
            var stopTime: ContinuousClock.Instant?
        }

        let state = Mutex(State())
    }

    /// How long threads may take to end after a stop; a blocked write to a pipe would never end.
    private static let patience = Duration.seconds(2)

    init(_ stop: StopToken) {
        self.stop = stop
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "texel.frames.watch"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(50), leeway: .milliseconds(10))
        let watched = watched
        timer.setEventHandler { Self.look(at: watched, stop) }
        timer.activate()
    }

    deinit { timer.cancel() }

    private static func look(at watched: Watched, _ stop: StopToken) {
        let (run, reporter) = watched.state.withLock { ($0.run, $0.reporter) }
        if let run { reporter?.tick { run.statistics } }
        guard let reason = stop.reason else { return }
        run?.stop()
        let now = ContinuousClock.now
        let start = watched.state.withLock { state in
            state.stopTime = state.stopTime ?? now
            return state.stopTime ?? now
        }
        if now - start > patience {
            Interruption.endProcess(ExitStatus(.stopped(reason)))
        }
    }

    /// Replaces `cancelled`, with which a pipeline ends when it is stopped, with the reason of the stop.
    func explained(_ error: TexelError) -> TexelError {
        error.kind == .cancelled ? stop.reason.map { .stopped($0) } ?? error : error
    }

    /// Runs a pipeline to its end.
    ///
    /// - Parameters:
    ///   - source: the source's name in reports.
    ///   - output: the output's name in reports; `nil` for the terminal or standard output.
    /// - Throws: the error that ended the stream, including `stopped`.
    func run(
        _ pipeline: FramePipeline, reporter: FrameReporter, source: String, output: String?
    ) throws(TexelError) {
        let run = try pipeline.start()
        watched.state.withLock { ($0.run, $0.reporter) = (run, reporter) }
        var outcome: TexelError?
        do throws(TexelError) { try run.wait() } catch { outcome = error }
        watched.state.withLock { ($0.run, $0.reporter) = (nil, nil) }
        if outcome == nil, let reason = stop.reason { outcome = .stopped(reason) }
        reporter.finish(
            run.statistics, run.rateConversion, source: source, output: output ?? "-", error: outcome)
        if let outcome { throw outcome }
    }
}
