import Texel

/// Five hundred large pictures asked for at once, with a small budget: how much is in memory at most.
struct QueuedMemory {
    private let photographs: Photographs

    init(_ photographs: Photographs) { self.photographs = photographs }

    private static let allowance = 40 << 20

    func run(_ report: Report) async throws {
        let links = try photographs.links(500, of: 17)
        let files = (0..<500).map { links.path.appending("\($0)") }
        try await measure("500 photographs → 320 pixels", budget: 128 << 20, report) {
            ImageRequest(files[$0], recipe: Recipe().resizing(width: 320))
        }
        // One of the largest takes 250 MB by itself.
        try await measure("the same, every tenth turned by 45° in full size", budget: 384 << 20, report) { index in
            let recipe = Recipe().resizing(width: 320)
            return ImageRequest(files[index], recipe: index % 10 == 0 ? Recipe().rotating(by: 45) : recipe)
        }
        try await measure("500 angles of one photograph", budget: 384 << 20, count: 20, report) { index in
            ImageRequest(files[0], recipe: Recipe().rotating(by: Double(index + 1) / 10))
        }
    }

    /// - Parameter count: for so many results one waits; the others are given up.
    private func measure(
        _ what: String, budget: Int, count: Int = 500, _ report: Report, request: (Int) -> ImageRequest
    ) async throws {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = WorkerPool(width: WorkerPool.availableCores, byteBudget: budget)
        // It has a limit of its own.
        configuration.memoryCacheLimit = 0
        let pipeline = ImagePipeline(configuration)
        ThisProcess.forgetPeakMemory()
        let start = ContinuousClock.now
        var tasks = (0..<500).map { pipeline.imageTask(for: request($0)) }
        tasks.reverse()
        for _ in 0..<count { _ = try await tasks.popLast()?.value }
        let peak = ThisProcess.peakMemory
        report.line("\(what): \(count) of them in \((ContinuousClock.now - start).text)")
        report.figure(
            "peak memory", peak.megabytes, target: (budget + Self.allowance).megabytes,
            isMet: peak <= budget + Self.allowance, isRequired: true)
    }
}
