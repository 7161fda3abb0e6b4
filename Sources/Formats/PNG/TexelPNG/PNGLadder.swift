import TexelCodecs
import TexelPixels

/// Makes the ladder of palettes and lossless encodings of a PNG.
enum PNGLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        let lossless = settings.palette == nil ? losslessSteps(settings) : []
        return EncodingLadder(
            paletteSteps(settings.palette ?? PaletteOptions(), settings) + lossless, losslessCount: lossless.count,
            fixedBytes: 70)
    }

    /// Typical scores and sizes by palette size, measured on two Kodak images.
    private static let typicalPalettes: [(colors: Int, score: Double, size: Double)] = [
        (2, -60, -2.6), (4, -20, -1.9), (8, 10, -1.4), (16, 35, -1), (32, 53, -0.65), (64, 68, -0.4), (128, 78, -0.2),
        (256, 84, 0),
    ]

    /// Palettes of 2 colours and more, up to the requested number.
    private static func paletteSteps(_ palette: PaletteOptions, _ settings: EncodingSettings) -> [Step] {
        // The encoder rejects other numbers.
        let counts = PaletteOptions.colorCounts.contains(palette.colors) ? Array(2...palette.colors) : [palette.colors]
        return counts.map { colors in
            var options = PNGOptions(effort: settings.effort, palette: PaletteOptions(colors: colors))
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
    private static func losslessSteps(_ settings: EncodingSettings) -> [Step] {
        let typical: [(effort: Effort, size: Double)] = [(.best, 1), (.balanced, 1.04), (.fast, 1.5)]
        return typical.filter { $0.effort == .best || $0.effort == settings.effort }.map { effort, size in
            var settings = settings
            settings.effort = effort
            return Step(
                encoding: .png(PNGOptions(settings)), score: 100, size: size, name: "effort \(effort.rawValue)")
        }
    }
}
