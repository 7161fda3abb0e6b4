import TexelCodecs
import TexelPixels

/// The ways to encode an image in one format, in order of rising size and quality.
///
/// Each step has the score and size that photographs typically have there; a search only has to find how an image
/// differs from these.
struct EncodingLadder: Sendable {
    struct Step: Sendable, Equatable {
        var encoding: ImageEncoding
        /// The typical SSIMULACRA2 score.
        var score: Double
        /// The natural logarithm of the typical number of bytes, up to a constant.
        var size: Double
        /// The step's name for `--explain`.
        var name: String
    }

    let steps: [Step]
    /// Steps with full chroma resolution from quality 50 to the first step of ``steps`` that has it, if ``steps``
    /// begins with subsampled chroma. They fill the gap in quality that ``steps`` has for images that subsampled
    /// chroma harms more than usual.
    let stepsWithAllColors: [Step]
    /// How many steps at the end are lossless. They have the best score at any size, even if a palette takes more
    /// bytes.
    let losslessCount: Int
    /// The first step of acceptable quality: if the image may be scaled down instead, lower steps are not used.
    let decentIndex: Int
    /// The approximate bytes of a file that do not depend on the image: tables and headers.
    let fixedBytes: Int

    init(_ format: ImageFormat, _ output: OutputOptions) {
        switch format {
        case .jpeg:
            steps = Self.jpegSteps(output)
            stepsWithAllColors = output.subsampling == .automatic ? Self.stepsWithAllColors(output) : []
            losslessCount = 0
            fixedBytes = 600
            decentIndex = steps.firstIndex { $0.score >= 50 } ?? steps.count - 1
        case .png:
            stepsWithAllColors = []
            let lossless = output.palette == nil ? Self.losslessSteps(output) : []
            steps = Self.paletteSteps(output.palette ?? PaletteOptions(), output) + lossless
            losslessCount = lossless.count
            fixedBytes = 70
            decentIndex = steps.firstIndex { $0.score >= 50 } ?? steps.count - 1
        }
    }

    /// The first step with full chroma resolution.
    var firstWithAllColors: Step? { stepsWithAllColors.last }

    // MARK: JPEG

    /// Typical scores and sizes by quality, with chroma at half resolution (4:2:0) and at full resolution (4:4:4).
    /// Measured on two Kodak images encoded with libjpeg-turbo.
    private static let typical: [(quality: Double, half: (Double, Double), whole: (Double, Double))] = [
        (1, (-80, -3.3), (-80, -3.1)), (5, (-51.7, -2.43), (-50.3, -2.17)), (10, (-11.5, -1.8), (-7, -1.65)),
        (20, (32, -1.23), (36.2, -1.11)), (30, (48.2, -0.92), (51.9, -0.83)), (50, (62.9, -0.57), (65.7, -0.47)),
        (70, (72, -0.24), (74.1, -0.13)), (80, (77.5, 0), (79.5, 0.13)), (85, (80.7, 0.17), (82.6, 0.31)),
        (90, (84.4, 0.39), (86.3, 0.54)), (95, (88.8, 0.72), (90.5, 0.9)), (98, (91.7, 1.05), (93.3, 1.26)),
        (100, (92.9, 1.32), (94.5, 1.71)),
    ]

    private struct Choice {
        var quality: Double
        var subsampling: ChromaSubsampling
    }

    private static func jpegSteps(_ output: OutputOptions) -> [Step] {
        let choices = output.effort == .fast ? wholeChoices(output.subsampling) : fineChoices(output.subsampling)
        let allowed = choices.filter { $0.quality <= Double(output.quality ?? 100) }
        return (allowed.isEmpty ? Array(choices.prefix(1)) : allowed).map { step($0, output) }
    }

    private static func stepsWithAllColors(_ output: OutputOptions) -> [Step] {
        let first = output.effort == .fast ? firstWhole : firstFineWhole
        let limit = min(first, Double(output.quality ?? 100))
        return stride(from: 50, through: limit, by: output.effort == .fast ? 1 : 0.25).map {
            step(Choice(quality: $0, subsampling: .none444), output)
        }
    }

    private static func step(_ choice: Choice, _ output: OutputOptions) -> Step {
        var options = output.jpegOptions
        options.quality = Int(choice.quality)
        options.qualityFraction = choice.quality - Double(options.quality)
        options.subsampling = choice.subsampling
        let (score, size) = typicalValues(choice.quality, isWhole: choice.subsampling == .none444)
        let quality = options.qualityFraction == 0 ? "\(options.quality)" : "\(choice.quality)"
        return Step(
            encoding: .jpeg(options), score: score, size: size,
            name: "quality \(quality), \(choice.subsampling.rawValue)")
    }

    /// The first qualities with full chroma resolution.
    private static let firstWhole = 87.0
    private static let firstFineWhole = 95.25

    /// The integer qualities of libjpeg. With automatic subsampling, chroma has half resolution up to 89 and full
    /// resolution from 87: at these two the sizes and scores are about equal.
    private static func wholeChoices(_ subsampling: ChromaSubsampling) -> [Choice] {
        guard subsampling == .automatic else {
            return (1...100).map { Choice(quality: Double($0), subsampling: subsampling) }
        }
        return (1...89).map { Choice(quality: Double($0), subsampling: .quarter420) }
            + stride(from: firstWhole, through: 100, by: 1).map { Choice(quality: $0, subsampling: .none444) }
    }

    /// The qualities of Texel's own encoder, with fractions where an integer step changes much. With automatic
    /// subsampling, chroma has half resolution except at the highest qualities; full resolution begins at a lower
    /// quality, where bytes and score continue from there.
    private static func fineChoices(_ subsampling: ChromaSubsampling) -> [Choice] {
        let parts: [(range: Range<Double>, step: Double)] = [
            (1..<20, 0.125), (20..<40, 0.5), (40..<85, 1), (85..<96, 0.5), (96..<100.1, 0.125),
        ]
        let choices = parts.flatMap { part in
            stride(from: part.range.lowerBound, to: part.range.upperBound, by: part.step).map {
                Choice(quality: $0, subsampling: subsampling)
            }
        }
        guard subsampling == .automatic else { return choices }
        return choices.filter { $0.quality < 97 }
            + stride(from: firstFineWhole, through: 100, by: 0.125).map { Choice(quality: $0, subsampling: .none444) }
    }

    private static func typicalValues(_ quality: Double, isWhole: Bool) -> (Double, Double) {
        let next = typical.firstIndex { $0.quality >= quality && $0.quality > 1 } ?? typical.count - 1
        let (low, high) = (typical[next - 1], typical[next])
        let part = (quality - low.quality) / (high.quality - low.quality)
        let (from, to) = isWhole ? (low.whole, high.whole) : (low.half, high.half)
        return (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
    }

    // MARK: PNG

    /// Typical scores and sizes by palette size, measured on two Kodak images.
    private static let typicalPalettes: [(colors: Int, score: Double, size: Double)] = [
        (2, -60, -2.6), (4, -20, -1.9), (8, 10, -1.4), (16, 35, -1), (32, 53, -0.65), (64, 68, -0.4), (128, 78, -0.2),
        (256, 84, 0),
    ]

    /// Palettes of 2 colours and more, up to the requested number.
    private static func paletteSteps(_ palette: PaletteOptions, _ output: OutputOptions) -> [Step] {
        // The encoder rejects other numbers.
        let counts = PaletteOptions.colorCounts.contains(palette.colors) ? Array(2...palette.colors) : [palette.colors]
        return counts.map { colors in
            var options = PNGOptions(effort: output.effort, palette: PaletteOptions(colors: colors))
            options.keepsSmallerLossless = false
            let (score, size) = typicalValues(colors: colors)
            return Step(encoding: .png(options), score: score, size: size, name: "\(colors) colours")
        }
    }

    /// Interpolates linearly between two entries of the table.
    private static func typicalValues(colors: Int) -> (score: Double, size: Double) {
        let next = typicalPalettes.firstIndex { $0.colors >= colors && $0.colors > 2 } ?? typicalPalettes.count - 1
        let (low, high) = (typicalPalettes[next - 1], typicalPalettes[next])
        let part = Double(colors - low.colors) / Double(high.colors - low.colors)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }

    /// Lossless encodings: more effort makes a smaller file with the same pixels.
    private static func losslessSteps(_ output: OutputOptions) -> [Step] {
        let typical: [(effort: Effort, size: Double)] = [(.best, 1), (.balanced, 1.04), (.fast, 1.5)]
        return typical.filter { $0.effort == .best || $0.effort == output.effort }.map { effort, size in
            var output = output
            output.effort = effort
            return Step(
                encoding: output.encoding(.png), score: 100, size: size, name: "effort \(effort.rawValue)")
        }
    }
}
