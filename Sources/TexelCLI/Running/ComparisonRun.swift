import SystemPackage
import Texel

/// Two pictures held against each other.
struct ComparisonRun: Sendable {
    let original: InputItem
    let candidate: InputItem
    /// Where to draw the differences.
    let heatmap: FilePath?
    let overwrites: Bool
    let limits: LimitOptions
    let pipeline: ImagePipeline
    let pool: WorkerPool

    /// An error, and the file that it is about.
    struct NamedError: Error {
        let name: String
        let error: PipelineError
    }

    /// - Throws: what the first file that fails comes to.
    func comparison(stop: StopToken) async throws(NamedError) -> PictureComparison {
        let stop = StopToken(parent: stop, timeout: limits.timeout?.duration)
        async let first = picture(original)
        async let second = picture(candidate)
        let pictures = (try await first.get(), try await second.get())
        let threads = WorkerPool.availableCores
        let comparison = try await named(candidate.name) { () throws(PipelineError) in
            try await pool.run(bytes: 0) { () throws(PipelineError) in
                try PictureComparison(of: pictures.1, with: pictures.0, threads: threads, stopCheck: stop.check)
            }
        }
        try await drawHeatmap(pictures.0, pictures.1)
        return comparison
    }

    private func named<Value>(
        _ name: String, _ body: () async throws(PipelineError) -> Value
    ) async throws(NamedError) -> Value {
        do { return try await body() } catch { throw NamedError(name: name, error: error) }
    }

    private func picture(_ item: InputItem) async -> Result<PixelBuffer, NamedError> {
        var request = ImageRequest(item.source)
        request.limits = limits.limits
        request.timeout = limits.timeout?.duration
        request.cacheUse = .none
        do throws(PipelineError) {
            return .success(try await pipeline.image(for: request))
        } catch {
            return .failure(NamedError(name: item.name, error: error))
        }
    }

    private func drawHeatmap(_ original: PixelBuffer, _ candidate: PixelBuffer) async throws(NamedError) {
        guard let heatmap else { return }
        try await named(heatmap.string) { () throws(PipelineError) in
            if [self.original, self.candidate].contains(where: { $0.isFile && heatmap.isSameFile(as: $0.path) }) {
                throw .file(.isInput(heatmap))
            }
            let map = try await pool.run(bytes: 0) {
                Result { () throws(PixelBufferError) in try candidate.differenceMap(against: original) }
                    .mapError { PipelineError.pixels($0) }
            }.get()
            try await WorkerPool.files.run(bytes: 0) { () throws(PipelineError) in
                try map.encodeAndWrite(to: heatmap, quality: 90, overwrites: overwrites)
            }
        }
    }
}
