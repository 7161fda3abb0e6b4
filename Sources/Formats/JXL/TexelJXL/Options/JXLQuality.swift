import TexelCodecs

/// The meaning of a quality in libjxl's numbers.
enum JXLQuality {
    private typealias Table = [(quality: Double, distance: Double)]

    // For qualities of the scale that all formats share, libjxl's distance with the same SSIMULACRA2 score as Texel's
    // JPEG: the means over seven photographs.
    private static let fast: Table = [
        (0, 25), (10, 23.33), (20, 9.69), (30, 5.91), (40, 4.3), (50, 3.43), (60, 2.94), (70, 2.36), (75, 2.09),
        (80, 1.72), (85, 1.42), (90, 1.04), (95, 0.65), (98, 0.32), (100, 0.1),
    ]
    private static let balanced: Table = [
        (0, 25), (10, 25), (20, 9.57), (30, 6.07), (40, 4.54), (50, 3.76), (60, 3.17), (70, 2.51), (75, 2.22),
        (80, 1.8), (85, 1.44), (90, 1.06), (95, 0.65), (98, 0.31), (100, 0.1),
    ]
    private static let best: Table = [
        (0, 25), (10, 22.47), (20, 8.48), (30, 5.52), (40, 4.27), (50, 3.51), (60, 3), (70, 2.36), (75, 2.05),
        (80, 1.66), (85, 1.38), (90, 1.04), (95, 0.66), (98, 0.33), (100, 0.1),
    ]

    /// Returns libjxl's distance, interpolated between two entries of the table.
    static func distance(_ quality: Int, _ effort: Effort) -> Float {
        let table =
            switch effort {
            case .fast: fast
            case .balanced: balanced
            case .best: best
            }
        let quality = Double(quality)
        let next = max(1, table.firstIndex { $0.quality >= quality } ?? table.count - 1)
        let (low, high) = (table[next - 1], table[next])
        let part = (quality - low.quality) / (high.quality - low.quality)
        return Float(low.distance + part * (high.distance - low.distance))
    }
}
