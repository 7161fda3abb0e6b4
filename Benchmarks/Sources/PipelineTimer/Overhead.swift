import BareRoute
import Texel

/// Measures what the pipeline adds to the bare route for a folder of photographs that are all requested at once. All
/// settings are the defaults, including the memory cache; each round uses a new pipeline.
struct Overhead {
    private let files: [FilePath]

    init(_ photographs: Photographs) { files = photographs.files }

    func run(_ report: Report) async throws {
        let recipe = Recipe().resizing(width: 1280, height: 1280).encoding(as: .jpeg, quality: 80, effort: .fast)
        let comparison = try await Comparison(count: files.count, rounds: 8) { [files] index in
            _ = try BareRoute.run(files[index], recipe)
        } pipeline: {
            let pipeline = ImagePipeline()
            let tasks = files.map { pipeline.encodedImageTask(for: ImageRequest($0, recipe: recipe)) }
            for task in tasks { _ = try await task.value }
        }
        report.line(
            "\(files.count) photographs → 1280 pixels, JPEG: bare \(comparison.bare.text) each,"
                + " pipeline \(comparison.pipeline.text)")
        report.line("processor time added to each: \(comparison.processorOverhead.text)")
        let ratio = (comparison.ratio - 1) * 100
        report.figure(
            "time added by the pipeline", ratio.formatted(.number.precision(.fractionLength(1))) + " %",
            target: "3 %", isMet: ratio < 3)
    }
}
