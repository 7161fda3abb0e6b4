import Texel

/// Measures the peak memory of 500 concurrent requests for large images with a small budget.
struct QueuedMemory {
    private let photographs: Photographs

    init(_ photographs: Photographs) { self.photographs = photographs }

    private static let allowance = 40 << 20

    func run(_ report: Report) async throws {
        let links = try photographs.links(500, of: 17)
        let files = (0..<500).map { links.path.appending("\($0)") }
        let resizing = Recipe().resizing(width: 320)
        try await measure("500 photographs → 320 pixels", budget: 128 << 20, report) {
            ImageRequest(files[$0], recipe: resizing)
        }
        // Whole images, of which at least one must fit. Results of 65 MB on their way to the caller count too, so the
        // target is informative.
        guard let small = photographs.files.last else { return }
        try await measure("500 angles of one photograph", budget: 384 << 20, count: 12, isRequired: false, report) {
            ImageRequest(small, recipe: Recipe().rotating(by: Double($0 + 1) / 10))
        }
    }

    /// Measures one kind of request.
    ///
    /// - Parameter count: The number of results to wait for; the remaining requests are cancelled.
    private func measure(
        _ what: String, budget: Int, count: Int = 500, isRequired: Bool = true, _ report: Report,
        request: (Int) -> ImageRequest
    ) async throws {
        var configuration = ImagePipeline.Configuration()
        configuration.workers = WorkerPool(width: WorkerPool.availableCores, byteBudget: budget)
        // The memory cache has a limit of its own.
        configuration.memoryCacheLimit = 0
        let pipeline = ImagePipeline(configuration)
        ThisProcess.forgetPeakMemory()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<500 {
                let request = request(index)
                // Results are not retained.
                group.addTask { _ = try await pipeline.image(for: request) }
            }
            for _ in 0..<count { try await group.next() }
            group.cancelAll()
        }
        let peak = ThisProcess.peakMemory
        report.line("\(what): \(count) of them in \((ContinuousClock.now - start).text)")
        report.figure(
            "peak memory", peak.megabytes, target: (budget + Self.allowance).megabytes,
            isMet: peak <= budget + Self.allowance, isRequired: isRequired)
    }
}
