import SystemPackage
import Texel
import TexelCore
import TexelMetrics

/// Compares two images.
struct ComparisonRun: Sendable {
    let original: InputItem
    let candidate: InputItem
    /// The file for the drawn differences, if requested.
    let heatmap: FilePath?
    /// The metric whose errors are drawn.
    let metric: DifferenceMetric
    let overwrites: Bool
    /// The page to compare, from 1; `nil` compares the first.
    let page: Int?
    let policy: DecodePolicy
    let timeout: Duration?
    let pipeline: ImagePipeline
    let pool: WorkerPool

    /// The two images and their drawn differences.
    struct Images {
        var original: PixelBuffer
        var candidate: PixelBuffer
        var differences: PixelBuffer
    }

    /// Checks that the extension of the heatmap's name is a format that Texel writes.
    static func check(heatmap: String) throws(OptionError) {
        let format = FilePath(heatmap).extension.flatMap { ImageFormat(fileExtension: $0) }
        guard format?.capabilities.writes != true else { return }
        throw OptionError("\(option: "heatmap") \(heatmap) must end in \(FormatArguments.extensions())")
    }

    /// The result of a comparison.
    struct Outcome {
        var comparison: ImageComparison
        /// The tolerated faults of each image.
        var warnings: [NamedWarning]
        /// `nil` unless differences are drawn.
        var images: Images?
    }

    /// A warning about a file.
    struct NamedWarning {
        var name: String
        var text: String

        var sentence: String { "\(name): \(text)" }
    }

    /// - Parameter drawing: whether to draw the differences, also without a heatmap.
    /// - Throws: the error of the first file that fails.
    func run(drawing: Bool = false, stop: StopToken) async throws(NamedError) -> Outcome {
        let stop = StopToken(parent: stop, timeout: timeout)
        async let first = image(original, page: page)
        async let second = candidateImage()
        let loaded = (try await first.get(), try await second.get())
        let images = (loaded.0.image, loaded.1.image)
        let warnings = [(original, loaded.0.info), (candidate, loaded.1.info)].flatMap { item, info in
            info.warnings.map { NamedWarning(name: item.name, text: $0) }
        }
        let threads = WorkerPool.availableCores
        let comparison = try await named(candidate.name) { () throws(TexelError) in
            try await pool.run(bytes: 0) { () throws(TexelError) in
                try ImageComparison(of: images.1, with: images.0, threads: threads, stop: stop)
            }
        }
        guard drawing || heatmap != nil else { return Outcome(comparison: comparison, warnings: warnings) }
        let differences = try await differences(images.0, images.1, stop)
        return Outcome(
            comparison: comparison, warnings: warnings,
            images: Images(original: images.0, candidate: images.1, differences: differences))
    }

    private typealias Loaded = (image: PixelBuffer, info: ImageInfo)

    private func named<Value>(
        _ name: String, _ body: () async throws(TexelError) -> Value
    ) async throws(NamedError) -> Value {
        do { return try await body() } catch { throw NamedError(name: name, error: error) }
    }

    /// A candidate with a single image was made of the page that is compared.
    private func candidateImage() async -> Result<Loaded, NamedError> {
        let result = await image(candidate, page: page)
        guard page != nil, case .failure(let failure) = result,
            failure.error.kind == .missingFrame || failure.error.kind == .missingPage,
            case .success(let only) = await image(candidate, page: nil),
            only.info.frameCount == 1, only.info.pageCount == 1
        else { return result }
        return .success(only)
    }

    private func image(_ item: InputItem, page: Int?) async -> Result<Loaded, NamedError> {
        do throws(NamedError) {
            return .success(try await pipeline.image(item, page: page, policy: policy, timeout: timeout))
        } catch {
            return .failure(error)
        }
    }

    /// Draws the differences, and writes them if a heatmap was requested.
    private func differences(
        _ original: PixelBuffer, _ candidate: PixelBuffer, _ stop: StopToken
    ) async throws(NamedError) -> PixelBuffer {
        try await named(heatmap?.string ?? self.candidate.name) { () throws(TexelError) in
            if let heatmap,
                [self.original, self.candidate].contains(where: {
                    $0.filePath.map { heatmap.isSameFile(as: $0) } ?? false
                })
            {
                throw .isInput(heatmap)
            }
            let map = try await pool.run(bytes: 0) { [metric] in
                Result { () throws(TexelError) in
                    try candidate.differenceMap(against: original, by: metric, threads: WorkerPool.availableCores)
                }
            }.get()
            guard let heatmap else { return map }
            try await WorkerPool.files.run(bytes: 0) { () throws(TexelError) in
                try map.encodeAndWrite(to: heatmap, quality: 90, overwrites: overwrites, stop: stop)
            }
            return map
        }
    }
}
