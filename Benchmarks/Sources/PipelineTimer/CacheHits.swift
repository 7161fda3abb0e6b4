import Texel

/// Measures the latency of cached results.
struct CacheHits {
    private let file: FilePath

    init(_ photographs: Photographs) { file = photographs.files[0] }

    func run(_ report: Report) async throws {
        let pixels = ImageRequest(file, recipe: Recipe().resizing(width: 320))
        let encoded = ImageRequest(
            file, recipe: Recipe().resizing(width: 1280).encoding(as: .jpeg, quality: 80, effort: .fast))
        let inMemory = ImagePipeline()
        let folder = try TemporaryFolder()
        var configuration = ImagePipeline.Configuration()
        configuration.memoryCacheLimit = 0
        configuration.diskCache = DiskCache(directory: folder.path, sizeLimit: 1 << 30)
        let onDisk = ImagePipeline(configuration)
        for (name, pipeline) in [("memory", inMemory), ("disk", onDisk)] {
            report.percentiles(
                "pixels, 320 wide, from the \(name) cache", try await hits { _ = try await pipeline.image(for: pixels) }
            )
            report.percentiles(
                "JPEG, 1280 wide, from the \(name) cache",
                try await hits { _ = try await pipeline.encodedImage(for: encoded) })
            report.line("decodes of pixels: \(pipeline.statistics.decodes)")
        }
    }

    private func hits(_ body: () async throws -> Void) async throws -> [Duration] {
        // The first request makes the result; later ones may have to wait until it is stored.
        for _ in 0..<10 { try await body() }
        var durations: [Duration] = []
        for _ in 0..<2000 {
            let start = ContinuousClock.now
            try await body()
            durations.append(ContinuousClock.now - start)
        }
        return durations
    }
}
