import TexelCodecs
import TexelPixels

/// Makes the ladder of palettes of a GIF.
enum GIFLadder {
    private typealias Step = EncodingLadder.Step

    static func ladder(_ settings: EncodingSettings) -> EncodingLadder {
        let most = settings.palette?.colors ?? PaletteOptions.colorCounts.upperBound
        // The encoder rejects other numbers.
        let counts = PaletteOptions.colorCounts.contains(most) ? Array(2...most) : [most]
        let steps = counts.map { colors in
            let options = GIFOptions(palette: PaletteOptions(colors: colors), effort: settings.effort)
            let (score, size) = typicalValues(colors: colors)
            return Step(encoding: .gif(options), score: score, size: size, name: "\(colors) colours")
        }
        return EncodingLadder(steps, fixedBytes: 60)
    }

    /// Typical scores and sizes by palette size.
    private static let typical: [(colors: Int, score: Double, size: Double)] = [
        (2, -60, -2.2), (4, -20, -1.5), (8, 10, -1.1), (16, 35, -0.75), (32, 53, -0.5), (64, 68, -0.3),
        (128, 78, -0.15), (256, 84, 0),
    ]

    /// Interpolates linearly between two entries of the table.
    private static func typicalValues(colors: Int) -> (score: Double, size: Double) {
        let next = typical.firstIndex { $0.colors >= colors && $0.colors > 2 } ?? typical.count - 1
        let (low, high) = (typical[next - 1], typical[next])
        let part = Double(colors - low.colors) / Double(high.colors - low.colors)
        return (low.score + part * (high.score - low.score), low.size + part * (high.size - low.size))
    }
}
