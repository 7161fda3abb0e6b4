import Texel

/// Measures the latency of an urgent request while 500 images are prefetched, compared with that on an idle machine.
struct Urgent {
    private let photographs: Photographs

    init(_ photographs: Photographs) { self.photographs = photographs }

    func run(_ report: Report) async throws {
        let links = try photographs.links(560, of: 17)
        let files = (0..<560).map { links.path.appending("\($0)") }
        let pipeline = ImagePipeline()
        _ = try await latency(pipeline, files[559])
        var alone: [Duration] = []
        for file in files[530..<550] { alone.append(try await latency(pipeline, file)) }
        report.percentiles("a photograph → 320 pixels, alone", alone)
        let waiting = files[..<500].map {
            pipeline.imageTask(for: ImageRequest($0, recipe: Recipe().resizing(width: 320), priority: .low))
        }
        try await Task.sleep(for: .milliseconds(100))
        var urgent: [Duration] = []
        for file in files[500..<530] {
            urgent.append(try await latency(pipeline, file))
            try await Task.sleep(for: .milliseconds(20))
        }
        report.percentiles("the same, of high priority, before 500 of low priority", urgent)
        report.line("of the 500, \(pipeline.statistics.decodes - 51) had begun by then")
        for task in waiting { task.cancel() }
    }

    private func latency(_ pipeline: ImagePipeline, _ file: FilePath) async throws -> Duration {
        let start = ContinuousClock.now
        _ = try await pipeline.image(
            for: ImageRequest(file, recipe: Recipe().resizing(width: 320), priority: .veryHigh))
        return ContinuousClock.now - start
    }
}
