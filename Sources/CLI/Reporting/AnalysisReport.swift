import Texel
import TexelMetrics

/// The analysis of an image's pixels by `texel info --analyze`.
struct AnalysisReport: Sendable {
    let statistics: Statistics
    let dominantColors: [Color]
    let blurHash: String
    /// In Base64.
    let thumbHash: String
    /// Sixteen hexadecimal digits each.
    let perceptualHash: String
    let differenceHash: String

    /// The measures of all pixels.
    struct Statistics: Encodable, Sendable {
        @Nullable var red: ImageStatistics.Channel?
        @Nullable var green: ImageStatistics.Channel?
        @Nullable var blue: ImageStatistics.Channel?
        @Nullable var luma: ImageStatistics.Channel?
        let alpha: ImageStatistics.Channel
        let lumaEntropy: Double
        let isOpaque: Bool
    }

    /// A dominant colour: `#rrggbb`, and its share of the visible pixels.
    struct Color: Encodable, Sendable {
        let color: String
        let share: Double
    }

    /// Analyses an image.
    init(_ image: PixelBuffer) throws(TexelError) {
        let measured = try image.statistics(threads: WorkerPool.availableCores)
        statistics = Statistics(
            red: measured.red, green: measured.green, blue: measured.blue, luma: measured.luma,
            alpha: measured.alpha, lumaEntropy: measured.lumaEntropy, isOpaque: measured.isOpaque)
        dominantColors = try image.dominantColors().map { Color(color: $0.color.description, share: $0.share) }
        blurHash = try BlurHash(of: image).text
        thumbHash = try ThumbHash(of: image).description
        perceptualHash = try PerceptualHash(of: image).description
        differenceHash = try DifferenceHash(of: image).description
    }

    /// Analyses an image on a worker.
    static func of(_ image: PixelBuffer, pipeline: ImagePipeline) async throws(TexelError) -> AnalysisReport {
        try await pipeline.workers.run(bytes: 0) { () throws(TexelError) in
            return try AnalysisReport(image)
        }
    }

    /// The lines for people.
    var lines: [String] {
        func text(_ name: String, _ channel: ImageStatistics.Channel?) -> String? {
            channel.map {
                "\(name) \(Self.short($0.mean)) ± \(Self.short($0.standardDeviation)) (\($0.minimum) to \($0.maximum))"
            }
        }
        let channels = [
            text("red", statistics.red), text("green", statistics.green), text("blue", statistics.blue),
            statistics.isOpaque ? nil : text("alpha", statistics.alpha),
        ].compactMap(\.self)
        let colors = dominantColors.map { "\($0.color) \(Self.short($0.share * 100)) %" }
        let opacity = statistics.isOpaque ? "opaque" : "with transparency"
        return [
            channels.joined(separator: ", "), "entropy of luma \(Self.short(statistics.lumaEntropy)) bits, \(opacity)",
            colors.isEmpty ? nil : "colours " + colors.joined(separator: ", "), "blurHash \(blurHash)",
            "thumbHash \(thumbHash)", "perceptualHash \(perceptualHash), differenceHash \(differenceHash)",
        ].compactMap { $0.map { "  \($0)" } }
    }

    /// Formats a number with one decimal.
    private static func short(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
