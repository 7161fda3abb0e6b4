import Texel

/// Counts the decodes of a thousand requests for ten images: for equal requests, and for four sizes of each.
struct Sharing {
    private let files: [FilePath]

    init(_ photographs: Photographs) { files = Array(photographs.files.prefix(10)) }

    func run(_ report: Report) async throws {
        let same = try await run { _ in Recipe().resizing(width: 320) }
        report.figure(
            "1000 requests for \(files.count) pictures", "\(same.decodes) decodes, \(same.duration.text)",
            target: "\(files.count) decodes", isMet: same.decodes == files.count, isRequired: true)
        let sizes = try await run { Recipe().resizing(width: 280 + $0 % 4 * 20) }
        report.line("the same in four sizes: \(sizes.decodes) decodes, \(sizes.duration.text)")
    }

    private func run(_ recipe: (Int) -> Recipe) async throws -> (decodes: Int, duration: Duration) {
        let pipeline = ImagePipeline()
        let start = ContinuousClock.now
        let tasks = (0..<1000).map { index in
            let request = ImageRequest(files[index % files.count], recipe: recipe(index / files.count))
            return pipeline.imageTask(for: request)
        }
        for task in tasks { _ = try await task.value }
        return (pipeline.statistics.decodes, ContinuousClock.now - start)
    }
}
