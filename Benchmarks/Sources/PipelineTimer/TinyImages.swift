import BareRoute
import Foundation
import Texel

/// Measures the overhead per image for 10 000 images of 16 × 16 pixels, from memory and from files.
struct TinyImages {
    private static let count = 10_000

    func run(_ report: Report) async throws {
        let images = try (0..<Self.count).map { index in
            try PixelBuffer(
                width: 16, height: 16, pixels: [UInt32](repeating: 0xFF00_0000 | UInt32(index), count: 256),
                alphaMode: .opaque
            ).encoded(as: .png(PNGOptions(effort: .fast)))
        }
        let recipe = Recipe().resizing(width: 8).encoding(as: .png, effort: .fast)
        let inputs = images.map { InputBytes($0) }
        let sources = images.map { BytesSource($0) }
        let inMemory = try await Comparison(count: Self.count, rounds: 7) { index in
            _ = try BareRoute.run(inputs[index], recipe)
        } pipeline: {
            try await Self.runAll(sources.map { ImageRequest($0, recipe: recipe) })
        }
        tell(inMemory, "from memory", report)

        let folder = try TemporaryFolder()
        let paths = images.indices.map { folder.path.appending("\($0).png") }
        for (path, bytes) in zip(paths, images) { try Data(bytes).write(to: URL(filePath: path.string)) }
        let fromFiles = try await Comparison(count: Self.count, rounds: 7) { index in
            _ = try BareRoute.run(paths[index], recipe)
        } pipeline: {
            try await Self.runAll(paths.map { ImageRequest($0, recipe: recipe) })
        }
        tell(fromFiles, "from files", report)
    }

    private static func runAll(_ requests: [ImageRequest]) async throws {
        let pipeline = ImagePipeline()
        let tasks = requests.map { pipeline.encodedImageTask(for: $0) }
        for task in tasks { _ = try await task.value }
    }

    private func tell(_ comparison: Comparison, _ origin: String, _ report: Report) {
        report.line(
            "\(Self.count) tiny pictures \(origin): bare \(comparison.bare.text) each,"
                + " pipeline \(comparison.pipeline.text)")
        report.line("processor time added to each: \(comparison.processorOverhead.text)")
        report.figure(
            "time added to each", comparison.overhead.text, target: "0.15 ms",
            isMet: comparison.overhead < .microseconds(150))
    }
}
