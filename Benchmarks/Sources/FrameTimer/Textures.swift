import Foundation
import Texel
import TexelFrames

/// Plays eight textures at once. Each is an I420 clip in a loop, played in real time by its own pipeline to a consumer
/// on its own thread, which takes every frame as soon as it is announced. All settings are the defaults: the policy is
/// `latest`, and every pipeline has one worker per core.
struct Textures {
    let clip: FilePath

    private static let count = 8

    private struct Show {
        var sink: RegistrySink
        var run: FrameRun
        /// The time from the source to the consumer's hold of each frame.
        var ages: FrameTimes
    }

    func run(seconds: Int) throws(TexelError) {
        let registry = TextureRegistry()
        let clock = SystemFrameClock()
        let rate = try Y4MSource(.file(clip)).format.rate ?? .standard
        let frameCount = seconds * rate.frames / rate.seconds
        let consumers = DispatchGroup()
        var shows: [Show] = []
        let start = clock.now
        let processorStart = Self.processorSeconds()
        for _ in 0..<Self.count {
            let looped = try LoopedSource { [clip] () throws(TexelError) in try Y4MSource(.file(clip)) }
            var options = FramePipelineOptions()
            options.clock = clock
            let sink = RegistrySink(registry)
            let ages = FrameTimes(capacity: frameCount)
            consumers.enter()
            Thread.detachNewThread { [id = sink.id] in
                var seen = 0
                while let next = registry.waitForFrame(id, after: seen) {
                    seen = next
                    if let frame = registry.copyPixelBuffer(id) { ages.add(clock.now - frame.arrival) }
                }
                consumers.leave()
            }
            let source = looped.prefix(frameCount).paced(clock: clock)
            let run = try FramePipeline(from: source, into: sink, options: options).start()
            shows.append(Show(sink: sink, run: run, ages: ages))
        }
        sleep(1)
        let early = shows.reduce(0) { $0 + $1.run.statistics.framesDropped }
        var statistics: [FrameStatistics] = []
        for show in shows { statistics.append(try show.run.wait()) }
        let elapsed = (clock.now - start) / .seconds(1)
        let processor = Self.processorSeconds() - processorStart
        // Give the consumers time for the last frame before they are told that there are no more.
        usleep(100_000)
        for show in shows { show.sink.close() }
        consumers.wait()
        report(statistics, early: early, shows.flatMap(\.ages.microseconds), elapsed, processor)
    }

    /// Prints the results.
    ///
    /// - Parameter early: The number of frames dropped in the first second, while buffers are still being allocated.
    private func report(
        _ statistics: [FrameStatistics], early: Int, _ ages: [Double], _ elapsed: Double, _ processor: Double
    ) {
        func sum(_ count: (FrameStatistics) -> Int) -> Int { statistics.reduce(0) { $0 + count($1) } }
        let causes = FrameStatistics.DropCause.allCases.compactMap { cause -> String? in
            let dropped = sum { $0.dropped[cause, default: 0] }
            return dropped > 0 ? "\(dropped) \(cause.rawValue)" : nil
        }
        let dropped =
            causes.isEmpty ? "none" : causes.joined(separator: ", ") + " (\(early) of them in the first second)"
        print(
            "\(statistics.count) textures, \(sum(\.framesIn)) frames in, \(sum(\.framesOut)) out, dropped: \(dropped)")
        print("\(ages.count) taken by the consumers")
        print(
            String(
                format: "%.1f s, %.0f %% of one processor, %.2f ms of it a frame", elapsed, processor / elapsed * 100,
                processor * 1000 / Double(max(1, sum(\.framesOut)))))
        FrameTimes.report(ages)
    }

    /// The processor time of all threads of this process, in seconds.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
