import Dispatch
import Texel
import TexelFrames

/// Runs a pipeline to its end: tells how it goes, and ends it when the user or the clock wants that.
struct FrameWatch {
    private let pipeline: FramePipeline
    private let stop: StopToken
    private let reporter: FrameReporter

    init(_ pipeline: FramePipeline, stop: StopToken, reporter: FrameReporter) {
        self.pipeline = pipeline
        self.stop = stop
        self.reporter = reporter
    }

    /// - Parameters:
    ///   - source: what reports call it.
    ///   - output: what reports call it; `nil` is the terminal or standard output.
    /// - Throws: why the stream ended before its end, `stopped` among it.
    func run(source: String, output: String?) throws(FrameError) {
        let run = try pipeline.start()
        let (stop, reporter) = (stop, reporter)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "texel.frames.watch"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(50), leeway: .milliseconds(10))
        timer.setEventHandler {
            if stop.reason != nil { run.stop() }
            reporter.tick { run.statistics }
        }
        timer.activate()
        defer { timer.cancel() }

        var outcome: FrameError?
        do throws(FrameError) { try run.wait() } catch { outcome = error }
        if outcome == nil, let reason = stop.reason {
            outcome = reason == .timedOut ? .codec(.stopped(.timedOut)) : .stopped
        }
        reporter.finish(run.statistics, source: source, output: output ?? "-", error: outcome)
        if let outcome { throw outcome }
    }
}
