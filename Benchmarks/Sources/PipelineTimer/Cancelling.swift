import Foundation
import Texel

/// Cancels 1000 requests for large images while the first ones run. Measures how long until all waiting tasks have
/// returned and the workers are idle, and how much memory remains.
struct Cancelling {
    private let photographs: Photographs

    init(_ photographs: Photographs) { self.photographs = photographs }

    func run(_ report: Report) async throws {
        let links = try photographs.links(1000, of: 17)
        let pipeline = ImagePipeline()
        // Warm up: threads, filter weights and the allocator's pools stay allocated.
        _ = try await pipeline.image(for: request(0, links.path))
        ThisProcess.trimMemory()
        let before = ThisProcess.memory
        var told: [Duration] = []
        var idle: [Duration] = []
        var left: [Int] = []
        var trimmed: [Int] = []
        for round in 1...7 {
            let outcome = try await cancel(in: pipeline, (0..<1000).map { request($0, links.path, round: round) })
            told.append(outcome.told)
            idle.append(outcome.idle)
            // Wait for late releases.
            try await Task.sleep(for: .milliseconds(50))
            left.append(ThisProcess.memory)
            ThisProcess.trimMemory()
            trimmed.append(ThisProcess.memory)
        }
        report.percentiles("1000 tasks told, from the first cancel()", told)
        report.percentiles("workers free, from the first cancel()", idle)
        let worst = max(told.max() ?? .zero, idle.max() ?? .zero)
        report.figure("the slowest of both", worst.text, target: "50 ms", isMet: worst < .milliseconds(50))
        report.line("memory: \(before.megabytes) before, \(ThisProcess.peakMemory.megabytes) at most")
        report.line("after each time: \(left.map(\.megabytes).joined(separator: ", "))")
        let most = trimmed.max() ?? 0
        report.line("and trimmed: \(trimmed.map(\.megabytes).joined(separator: ", "))")
        report.figure(
            "left by the worst time, trimmed", (most - before).megabytes, target: "32 MB",
            isMet: most - before < 32 << 20, isRequired: true)
    }

    /// A request that needs the whole image in memory, with an angle of its own so that results are not shared.
    private func request(_ index: Int, _ folder: FilePath, round: Int = 0) -> ImageRequest {
        let recipe = Recipe().rotating(by: 45 + Double(round) / 100)
        return ImageRequest(folder.appending("\(index)"), recipe: recipe)
    }

    private func cancel(
        in pipeline: ImagePipeline, _ requests: [ImageRequest]
    ) async throws -> (told: Duration, idle: Duration) {
        let decodes = pipeline.statistics.decodes
        let tasks = requests.map { pipeline.imageTask(for: $0) }
        let waiters = tasks.map { task in Task { (try? await task.value) != nil } }
        while pipeline.statistics.decodes < decodes + WorkerPool.shared.width {
            try await Task.sleep(for: .milliseconds(1))
        }
        try await Task.sleep(for: .milliseconds(30))
        let start = ContinuousClock.now
        for task in tasks { task.cancel() }
        var finished = 0
        for waiter in waiters where await waiter.value == true { finished += 1 }
        let told = ContinuousClock.now - start
        guard finished < tasks.count / 2 else { throw CancellationError() }
        // A job above the budget runs alone, so it starts when all others have ended.
        let idle = await WorkerPool.shared.run(bytes: WorkerPool.shared.byteBudget + 1) { ContinuousClock.now - start }
        return (told, idle)
    }
}
